package dev.clew.server.internal.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.server.Caller;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import dev.clew.server.settings.PriceSettings;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What answers cost, if the server knows the prices. Each answer takes 30 tokens (10), gives 8. */
class CostsTest {
  private static final PriceSettings PRICES =
      PriceSettings.NONE.currency("EUR").price("big=1000/100/10000").price("small=0.5/2");

  private SessionStore store;
  private LiveServer live;
  private Caller ann;

  @BeforeEach
  void open() {
    store = Stores.open("memory:");
  }

  private void serve(PriceSettings prices) {
    live =
        new LiveServer(
            store,
            settings ->
                settings
                    .model(new ScriptedModel(), "big", "huge")
                    .andModel(new ScriptedModel(), "small")
                    .andModel(new ScriptedModel(), "gift")
                    .prices(prices));
    ann = new Caller(live, "ann");
  }

  @AfterEach
  void stop() {
    live.close();
    store.close();
  }

  private void say(String model) {
    ann.post("/api/chat", "{\"message\":\"hi\",\"session_id\":\"s\",\"model\":\"" + model + "\"}")
        .is(200);
  }

  private Map<String, Object> used(long turns) {
    return Eventually.ask(
        turns + " turns",
        () -> ann.get("/api/usage").is(200).json(),
        usage -> Caller.object(usage.get("total")).get("turns").equals(turns));
  }

  private static BigDecimal cost(Map<String, Object> of) {
    return new BigDecimal(String.valueOf(of.get("cost")));
  }

  // big: 20 x 1000 + 10 x 100 + 8 x 10000 = 101,000 millionths; small: 30 x 0.5 + 8 x 2 = 31
  private static final BigDecimal BIG = new BigDecimal("0.101");
  private static final BigDecimal SMALL = new BigDecimal("0.000031");

  @Test
  void itIsCountedByAnswerModelDayMonthAndConversation_whicheverApiWasAsked() {
    serve(PRICES);
    say("big");
    say("small");
    say("gift");
    ann.post("/v1/responses", "{\"model\":\"huge\",\"input\":\"x\"}").is(200);
    ann.post(
            "/v1/chat/completions",
            "{\"model\":\"small\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}")
        .is(200);
    Map<String, Object> usage = used(5);
    BigDecimal all = BIG.add(BIG).add(SMALL).add(SMALL);
    assertThat(usage).containsEntry("currency", "EUR");
    assertThat(cost(Caller.object(usage.get("total")))).isEqualByComparingTo(all);
    assertThat(cost(Caller.objects(usage.get("data")).get(0))).isEqualByComparingTo(all);
    assertThat(cost(Caller.objects(usage.get("months")).get(0))).isEqualByComparingTo(all);
    List<Map<String, Object>> models = Caller.objects(usage.get("models"));
    assertThat(models)
        .extracting(model -> model.get("model"))
        .containsExactly("big", "gift", "small");
    assertThat(cost(models.get(0))).isEqualByComparingTo(BIG.add(BIG));
    assertThat(models.get(1)).containsEntry("cost", null).containsEntry("requests", 1L);
    assertThat(cost(models.get(2))).isEqualByComparingTo(SMALL.add(SMALL));

    Map<String, Object> session = ann.get("/api/sessions/s/insight").is(200).json();
    assertThat(cost(session)).isEqualByComparingTo(BIG.add(SMALL));
    assertThat(Caller.objects(session.get("data")).stream().map(CostsTest::cost))
        .usingElementComparator(BigDecimal::compareTo)
        .containsExactly(BIG, SMALL, BigDecimal.ZERO);
    assertThat(Caller.object(ann.get("/api/me").is(200).json().get("prices")))
        .containsEntry("currency", "EUR");
    Map<String, Object> others = new Caller(live, "bob").get("/api/usage").is(200).json();
    assertThat(cost(Caller.object(others.get("total")))).isZero();
  }

  @Test
  void theNotesOfAnAnswerSayWhatItsCostIsMadeOf() {
    serve(PRICES);
    String id = ann.post("/v1/conversations", "{}").is(200).text("id");
    ann.post(
            "/v1/responses", "{\"model\":\"huge\",\"input\":\"x\",\"conversation\":\"" + id + "\"}")
        .is(200);
    Map<String, Object> answer = ann.get("/api/sessions/" + id + "/items").is(200).data().get(1);
    assertThat(Caller.object(answer.get("notes")))
        .containsEntry("model", "big")
        .containsEntry("cached_tokens", 10L);
  }

  @Test
  void withoutPricesNothingIsSaidOfCosts() {
    serve(PriceSettings.NONE);
    say("big");
    assertThat(used(1).toString()).doesNotContain("cost", "currency");
    assertThat(ann.get("/api/sessions/s/insight").is(200).body()).doesNotContain("cost");
    assertThat(ann.get("/api/me").is(200).json()).doesNotContainKey("prices");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "big", "big=1", "big=1/x", "big=-1/2", "=1/2", "big=1/2/3/4", "big=1,5/2"})
  void whatIsNoPriceIsRefused(String line) {
    serve(PRICES);
    assertThatThrownBy(() -> PRICES.price(line))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not a price");
    assertThatThrownBy(() -> PRICES.currency("euro"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not a currency");
  }
}
