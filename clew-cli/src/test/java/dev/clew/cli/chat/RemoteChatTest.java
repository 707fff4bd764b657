package dev.clew.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.cli.ClewProcess;
import dev.clew.cli.ModelWire;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.openai.TestServer;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A chat with a model on a server, as a process, over both APIs. */
public class RemoteChatTest {
  /** What only such a chat may load. */
  public static final List<String> CLIENT =
      List.of("dev.clew.openai.", "com.openai.", "okhttp3.", " kotlin.");

  private static final String KEY = "a-key-that-nobody-may-see";

  private final TestServer server = new TestServer();
  @TempDir Path folder;

  @AfterEach
  void stop() {
    server.close();
  }

  private ClewProcess chat(ModelWire wire) throws Exception {
    return ClewProcess.start(
        folder,
        Map.of("OPENAI_BASE_URL", server.baseUrl(), "OPENAI_API_KEY", KEY),
        "chat",
        "s",
        "--demo",
        "--model",
        wire.named("test-model"));
  }

  private List<String> types() {
    try (SessionStore store = Stores.open(ClewProcess.store(folder))) {
      return store.session("s").getItems().stream()
          .map(item -> item.type() + (item.json().contains("\"role\":\"user\"") ? "/user" : ""))
          .toList();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aTurnCallsTools_asksAPerson_andStreamsTheAnswer(ModelWire wire) throws Exception {
    String start = LocalDate.now(ZoneId.systemDefault()).plusDays(1) + "T14:00:00";
    CountDownLatch heard = new CountDownLatch(1);
    server
        .thenModel(
            wire.call(
                "call_1",
                "create_event",
                "{\"title\":\"lunch\",\"start\":\"" + start + "\",\"minutes\":null}"))
        .thenModel(wire.text("Entered ", "lunch."))
        .thenModel(
            wire.call("call_2", "cancel_event", "{\"event_id\":\"evt_1\",\"title\":\"lunch\"}"))
        .thenModel(wire.slowText("Lunch is", " cancelled.", heard));
    try (ClewProcess clew = chat(wire)) {
      clew.type("lunch tomorrow at 2pm\n");
      assertThat(clew.line()).as(clew.err()).isEqualTo("Entered lunch.");
      clew.type("cancel it\ny\n");
      assertThat(clew.read("Lunch is".length())).isEqualTo("Lunch is");
      heard.countDown();
      assertThat(clew.line()).isEqualTo(" cancelled.");
      assertThat(clew.end()).as(clew.err()).isZero();
      assertThat(clew.err())
          .contains("schedule assistant: test-model at 127.0.0.1")
          .contains("→ create_event", "← {\"id\":\"evt_1\"", "Allow cancel_event {\"event_id\":")
          .doesNotContain(KEY);
      assertThat(clew.loaded()).contains(CLIENT);
    }
    assertThat(server.asked()).hasSize(4);
    TestServer.Received first = server.asked().get(0);
    assertThat(first.path())
        .isEqualTo(wire == ModelWire.CHAT ? "/v1/chat/completions" : "/v1/responses");
    assertThat(first.headers().getFirst("Authorization")).isEqualTo("Bearer " + KEY);
    assertThat(first.body())
        .contains("You keep the user's schedule", "\"test-model\"", "lunch tomorrow at 2pm")
        .contains("create_event", "update_event", "list_events", "cancel_event", "search_history");
    assertThat(server.asked().get(3).body())
        .containsSubsequence("lunch tomorrow", "call_1", "Entered lunch.", "cancel it", "call_2");
    assertThat(types())
        .containsExactly(
            "message/user",
            "function_call",
            "function_call_output",
            "message",
            "message/user",
            "function_call",
            "function_call_output",
            "message");
  }

  @ParameterizedTest
  @CsvSource({
    "OPENAI, 401, Incorrect API key, check the API key",
    "CHAT, 500, Out of memory, try again later"
  })
  void anErrorOfTheServiceEndsAScriptWithOneLine_andTheSessionGoesOn(
      ModelWire wire, int status, String message, String remedy) throws Exception {
    server.thenModel(
        TestServer.json(
            status,
            TestServer.error(message + "\\n and so on", "a_code"),
            "x-request-id",
            "req_1",
            "x-should-retry",
            "false"));
    try (ClewProcess clew = chat(wire)) {
      clew.type("one\n");
      assertThat(clew.end()).isEqualTo(ExitCode.FAILED);
      assertThat(clew.err().lines().skip(3)) // the new file, who answers, in which session
          .singleElement()
          .asString()
          .startsWith("clew: model 'test-model' at 127.0.0.1:")
          .contains(status + ": " + message, "[a_code]", "req_1", remedy)
          .doesNotContain(KEY);
    }
    server.thenModel(wire.text("Here I am."));
    try (ClewProcess clew = chat(wire)) {
      clew.type("two\n");
      assertThat(clew.line()).isEqualTo("Here I am.");
      assertThat(clew.end()).isZero();
    }
    assertThat(types()).containsExactly("message/user", "message/user", "message");
    assertThat(server.last().body()).containsSubsequence("one", "two");
  }

  @Test
  void withoutTheDemoTheAssistantIsPlain() throws Exception {
    server.thenModel(ModelWire.CHAT.text("Hello!"));
    Map<String, String> env = Map.of("OPENAI_BASE_URL", server.baseUrl());
    try (ClewProcess clew = ClewProcess.start(folder, env, "chat", "s", "--model", "chat:qwen3")) {
      clew.type("hello\n");
      assertThat(clew.line()).as(clew.err()).isEqualTo("Hello!");
      assertThat(clew.end()).isZero();
      assertThat(clew.err()).contains("assistant: qwen3 at ").doesNotContain("schedule");
    }
    assertThat(server.last().body())
        .contains("You are a helpful assistant. Today is ")
        .doesNotContain("\"tools\"", "schedule");
  }

  @Test
  void theEnvironmentNamesTheModel_andInstructionsMakeAnAssistantWithoutTools() throws Exception {
    server.thenModel(ModelWire.CHAT.text("Arr."));
    Map<String, String> env =
        Map.of("OPENAI_BASE_URL", server.baseUrl(), "CLEW_MODEL", "chat:qwen3:8b");
    try (ClewProcess clew =
        ClewProcess.start(folder, env, "chat", "s", "--instructions", "You are a pirate.")) {
      clew.type("hello\n");
      assertThat(clew.line()).as(clew.err()).isEqualTo("Arr.");
      assertThat(clew.end()).isZero();
    }
    assertThat(server.last().body())
        .contains("\"qwen3:8b\"", "You are a pirate.")
        .doesNotContain("\"tools\"", "schedule");
    assertThat(types()).containsExactly("message/user", "message");
  }
}
