package dev.clew.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Item;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What an agent can be besides a model with tools: guarded, handed over to, a tool, typed. */
interface AgentRules extends RunFixture {
  @Test
  default void aBlockedInputIsKeptAndNeverShownToAModel() {
    Agent guarded =
        newGuide()
            .inputGuardrail(
                Guardrail.of(
                    "no secrets",
                    (context, items) ->
                        RunFixture.text(items.get(0)).contains("secret")
                            ? Optional.of("a secret")
                            : Optional.empty()))
            .build();
    model().says("Hello.");

    assertThatThrownBy(() -> runner().run(guarded, "my secret", session()))
        .isInstanceOf(ClewException.GuardrailTripped.class)
        .hasMessageContaining("no secrets");
    assertThat(session().getItems()).hasSize(1);
    assertThat(model().requests).isEmpty();

    runner().run(guarded, "Hi", session());
    assertThat(model().lastInput()).containsExactly(Item.user("Hi"));
    assertThat(session().getItems()).hasSize(3);
  }

  @Test
  default void aBlockedAnswerIsDroppedAndToolWorkKept() {
    Agent guarded =
        newGuide()
            .outputGuardrail(Guardrail.of("polite", (context, items) -> Optional.of("not polite")))
            .build();
    model().calls("get_weather", "{\"name\":\"Oslo\"}").says("Rude.");

    assertThatThrownBy(() -> runner().run(guarded, "Weather?", session()))
        .isInstanceOf(ClewException.GuardrailTripped.class);

    assertThat(session().getItems()).hasSize(3).doesNotContain(Item.assistant("Rude."));
  }

  @Test
  default void aHandoffChangesTheAgentAndStaysInTheHistory() {
    Agent spanish = Agent.builder().name("Spanish Expert").instructions("Hablas.").build();
    Agent triage = newGuide().handoffs(spanish).build();
    model().calls("transfer_to_spanish_expert", "{}").says("Hola.");

    RunResult result = runner().run(triage, "Hola", session());

    assertThat(result.lastAgent()).isSameAs(spanish);
    assertThat(model().requests.get(1).instructions()).isEqualTo("Hablas.");
    assertThat(session().getItems())
        .containsExactly(
            Item.user("Hola"),
            Item.functionCall("call_1", "transfer_to_spanish_expert", "{}"),
            Item.functionCallOutput("call_1", "{\"assistant\":\"Spanish Expert\"}"),
            Item.assistant("Hola."));
  }

  @Test
  default void anAgentAsToolLeavesOnlyItsCallAndAnswer() {
    Agent translator = Agent.builder().name("Translator").instructions("Translate.").build();
    Agent boss = newGuide().tools(translator.asTool("translate", "Translates")).build();
    model().calls("translate", "{\"input\":\"hello\"}").says("hola").says("It is hola.");

    RunResult result = runner().run(boss, "Translate hello", session());

    assertThat(model().requests.get(1).input()).containsExactly(Item.user("hello"));
    assertThat(session().getItems())
        .containsExactly(
            Item.user("Translate hello"),
            Item.functionCall("call_1", "translate", "{\"input\":\"hello\"}"),
            Item.functionCallOutput("call_1", "hola"),
            Item.assistant("It is hola."));
    assertThat(result.requests()).hasSize(3);
  }

  record Verdict(boolean good, List<String> reasons) {}

  @Test
  default void aStructuredAnswerIsAValue() {
    Agent judge = Agent.builder().name("Judge").outputType(Verdict.class).build();
    model().says("{\"good\":true,\"reasons\":[\"short\"]}").says("nonsense");

    assertThat(runner().run(judge, "Judge", session()).finalOutput(Verdict.class))
        .isEqualTo(new Verdict(true, List.of("short")));
    assertThat(model().requests.get(0).outputSchema().orElseThrow().schema())
        .contains("\"additionalProperties\":false", "\"required\":[\"good\",\"reasons\"]");
    assertThatThrownBy(() -> runner().run(judge, "Judge", session()))
        .isInstanceOf(ClewException.ModelFailed.class)
        .hasMessageContaining("Verdict");
  }
}
