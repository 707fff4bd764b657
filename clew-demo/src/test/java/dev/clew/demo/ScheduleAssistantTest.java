package dev.clew.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Documents;
import dev.clew.Item;
import dev.clew.MemorySession;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.agent.CompactionSession;
import dev.clew.agent.Compactor;
import dev.clew.agent.RunConfig;
import dev.clew.agent.RunInput;
import dev.clew.agent.RunResult;
import dev.clew.agent.RunState;
import dev.clew.memory.MemoryStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where events live, who sees them, and what needs a person's word. */
class ScheduleAssistantTest {
  private final MemoryStore store = new MemoryStore();

  @TempDir Path folder;

  @AfterEach
  void close() {
    store.close();
  }

  private Assistant of(String owner, String id) {
    return new Assistant(store.session(new SessionKey(owner, id)));
  }

  @Test
  void theSessionsOfAnOwnerShareOneSchedule() {
    of("ann", "monday").says("meeting tomorrow at 2pm");
    assertThat(of("ann", "tuesday").says("list my events")).contains("\"meeting\"");
  }

  @Test
  void otherOwnersSeeNothingOfIt() {
    of("ann", "s").says("meeting tomorrow at 2pm");
    assertThat(of("bob", "s").says("list my events"))
        .isEqualTo("There is nothing on your schedule.");
    assertThat(of("", "s").says("cancel the meeting")).contains("nothing on your schedule");
  }

  @Test
  void eventsAreErasedWithTheirOwner() {
    of("ann", "s").says("meeting tomorrow at 2pm");
    store.erase("ann");
    assertThat(of("ann", "s").says("list my events"))
        .isEqualTo("There is nothing on your schedule.");
  }

  @Test
  void eventsOutliveTheProcessAsTheStoreDoes() {
    String url = "sqlite:" + folder.resolve("schedule.db");
    try (SessionStore file = Stores.open(url)) {
      new Assistant(file.session("s")).says("下周三下午2点开会");
    }
    try (SessionStore file = Stores.open(url)) {
      assertThat(new Assistant(file.session("s")).says("改成下午3点"))
          .isEqualTo("已修改：“开会”，2026年3月11日（星期三）15:00。");
      assertThat(file.documents().get("", "schedule").map(Documents.Document::json))
          .hasValue(
              "{\"next\":2,\"events\":[{\"id\":\"evt_1\",\"title\":\"开会\","
                  + "\"start\":\"2026-03-11T15:00+08:00\",\"minutes\":null}]}");
    }
  }

  @Test
  void aSessionWithoutAStoreHasItsEventsInMemory() {
    MemorySession session = new MemorySession("plain");
    Assistant assistant = new Assistant(session);
    assistant.says("meeting tomorrow at 2pm");
    assertThat(assistant.says("move it to 3pm")).contains("15:00");
    assertThat(assistant.says("search for meeting")).contains("meeting tomorrow at 2pm");
    RunConfig other = RunConfig.DEFAULT.session(new MemorySession("another"));
    assertThat(
            assistant
                .runner
                .run(assistant.agent, RunInput.text("list my events"), other)
                .finalOutput())
        .isEqualTo("There is nothing on your schedule.");
  }

  @Test
  void aSessionThatIsCompactedKeepsItsEventsInItsStore() {
    CompactionSession compacted =
        CompactionSession.over(store.session(new SessionKey("ann", "s")), Compactor.keepNewest(20));
    new Assistant(compacted).says("meeting tomorrow at 2pm");
    assertThat(of("ann", "another").says("list my events")).contains("\"meeting\"");
  }

  @Test
  void cancellingWaitsForAPersonAndSurvivesAsJson() {
    Assistant assistant = of("", "s");
    assistant.says("meeting tomorrow at 2pm");
    RunResult asked = assistant.runner.run(assistant.agent, "cancel it", store.session("s"));
    assertThat(asked.interruptions())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.toolName()).isEqualTo("cancel_event");
              assertThat(one.arguments())
                  .isEqualTo("{\"event_id\":\"evt_1\",\"title\":\"meeting\"}");
            });
    RunState later = RunState.fromJson(asked.toState().toJson());
    later.approve(later.interruptions().get(0));
    assertThat(assistant.resume(later).finalOutput()).startsWith("Cancelled: \"meeting\"");
    assertThat(assistant.says("list my events")).isEqualTo("There is nothing on your schedule.");
  }

  @Test
  void aRefusalLeavesTheEventAndTheConversationGoesOnWithIt() {
    Assistant assistant = of("", "s");
    assistant.says("明天下午2点开会");
    RunState state = assistant.runner.run(assistant.agent, "取消那个会", store.session("s")).toState();
    state.reject(state.interruptions().get(0));
    assertThat(assistant.resume(state).finalOutput()).isEqualTo("没有取消：“开会”保持不变。");
    assertThat(assistant.says("改成下午3点")).isEqualTo("已修改：“开会”，2026年3月5日（星期四）15:00。");
  }

  @Test
  void oneOfSeveralMayBeRefused() {
    Assistant assistant = of("", "s");
    assistant.says("lunch tomorrow at noon");
    assistant.says("dinner tomorrow at 7pm");
    RunState state =
        assistant
            .runner
            .run(assistant.agent, "cancel everything tomorrow", store.session("s"))
            .toState();
    assertThat(state.interruptions()).hasSize(2);
    state.reject(state.interruptions().get(0));
    state.approve(state.interruptions().get(0));
    assertThat(assistant.resume(state).finalOutput())
        .startsWith("Not cancelled: \"lunch\" stays.\nCancelled: \"dinner\"");
  }

  @Test
  void whatWasAgreedToUnderAnotherTitleIsNotCancelled() {
    Assistant assistant = of("", "s");
    assistant.says("meeting tomorrow at 2pm");
    RunState state =
        assistant.runner.run(assistant.agent, "cancel it", store.session("s")).toState();
    of("", "elsewhere").says("rename the meeting to board meeting");
    state.approve(state.interruptions().get(0));
    assertThat(assistant.resume(state).finalOutput()).contains("is called \"board meeting\" now");
  }

  @Test
  void anIdIsNeverUsedTwice() {
    Assistant assistant = of("", "s");
    assistant.says("meeting tomorrow at 2pm");
    assistant.says("cancel it");
    assistant.says("dentist tomorrow at 2pm");
    assertThat(store.documents().get("", "schedule").orElseThrow().json())
        .contains("evt_2")
        .doesNotContain("evt_1");
  }

  @Test
  void sessionsThatWriteAtOnceLoseNothing() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Callable<String>> talks = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        Assistant assistant = of("ann", "s" + i);
        talks.add(() -> assistant.says("meeting tomorrow at 2pm"));
      }
      for (Future<String> talk : threads.invokeAll(talks)) {
        assertThat(talk.get()).startsWith("Entered");
      }
    } finally {
      threads.shutdown();
    }
    assertThat(of("ann", "s").says("list my events")).contains("8. \"meeting\"");
  }

  @Test
  void anEventThatIsGoneIsSaidToBeGone() {
    Assistant assistant = of("", "s");
    assistant.says("meeting tomorrow at 2pm");
    of("", "elsewhere").says("cancel the meeting");
    assertThat(assistant.says("move it to 3pm")).contains("no event evt_1 any more");
  }

  @Test
  void searchFindsWhatTheOwnerSaidAndNothingOfOthers() {
    store
        .session(new SessionKey("ann", "trip"))
        .addItems(List.of(Item.user("The bridge in Kyoto")));
    store.session(new SessionKey("bob", "trip")).addItems(List.of(Item.user("My secret bridge")));
    String found = of("ann", "s").says("search for bridge");
    assertThat(found)
        .contains("The bridge in Kyoto", "trip")
        .doesNotContain("secret", "search for");
    assertThat(of("eve", "s").says("search for bridge")).contains("found nothing");
  }
}
