package dev.clew.server.internal.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Range;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.TokenCounter;
import dev.clew.server.Caller;
import dev.clew.server.ChatServers;
import dev.clew.server.ScriptedModel;
import dev.clew.server.settings.ChatSettings;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A history of as much as the model's context window holds. */
class FittingHistoryTest {
  private static final int ROOM = 2_000;
  private static final String LONG = "A sentence of some length about the weather in Oslo. ";

  @TempDir Path folder;
  private ChatServers servers;
  private final ScriptedModel script = new ScriptedModel();
  private Caller ann;

  @BeforeEach
  void start() {
    servers = new ChatServers(folder);
    ann =
        new Caller(
            servers.serve(
                script,
                settings ->
                    settings
                        .chat(settings.chat().history(ChatSettings.FITTING))
                        .turns(settings.turns().contextTokens(ROOM))),
            "ann");
  }

  @AfterEach
  void stop() {
    servers.close();
  }

  private static long tokens(ModelRequest request) {
    return TokenCounter.forModel("script").count(request.input());
  }

  @Test
  void everyMessageThatFitsIsShown() {
    for (int i = 0; i < 20; i++) {
      script.says("Answer " + i);
      ann.say("s", "message " + i).is(200);
    }
    List<ModelRequest> asked = script.requests();
    assertThat(asked).hasSize(20); // and no summary was asked for
    assertThat(asked.get(19).input()).hasSize(39);
  }

  @Test
  void aHistoryThatNearlyFillsTheWindowIsSummarized_beforeAnythingIsCutOff() {
    int turns = 0;
    while (script.requests().size() == turns) { // until one more request asks for a summary
      assertThat(turns).isLessThan(40);
      script.says("Answer " + turns).says("They spoke of the weather.");
      ann.say("s", turns + ": " + LONG.repeat(10)).is(200);
      turns++;
      if (script.requests().size() == turns) {
        assertThat(script.requests().get(turns - 1).input()).hasSize(2 * turns - 1); // nothing cut
        script.forget();
      }
    }
    assertThat(turns).isGreaterThan(5);
    assertThat(script.requests()).allMatch(request -> tokens(request) < ROOM);
    script.forget();

    script.says("Indeed.");
    ann.say("s", "what did we speak of?").is(200);
    ModelRequest next = script.requests().get(script.requests().size() - 1);
    assertThat(next.input()).hasSize(4); // summary, last turn, question
    assertThat(next.input().get(0).json()).contains("They spoke of the weather.");
    Range all = Range.first(100).withCompacted();
    int said = turns;
    assertThat(servers.session("s").entries(all).entries())
        .filteredOn(entry -> entry.item().json().contains(LONG))
        .hasSize(said);
  }

  @Test
  void aMessageThatIsTooLargeForTheModelFails_andTheNextOneDoesNot() {
    script.says("Hello.").fails().says("Yes.");
    ann.say("s", "hello").is(200);
    ann.say("s", LONG.repeat(400)).is(502);
    ann.say("s", "are you there?").is(200);
    assertThat(script.requests().get(2).input()).hasSize(1);

    script.fails().fails();
    ann.say("s", LONG.repeat(400)).is(502);
    ann.post("/api/sessions/s/regenerate", "").is(502);
    assertThat(script.requests().get(4).input().toString()).contains(LONG);
  }
}
