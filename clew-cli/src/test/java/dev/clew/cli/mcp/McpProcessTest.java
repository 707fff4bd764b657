package dev.clew.cli.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.cli.ClewProcess;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code clew mcp} as a process, with clients that misbehave. */
@Tag("hostile")
@Timeout(120)
class McpProcessTest {
  private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}\n";
  private static final int UNREAD = 2_000;
  private static final int PIPE = 20_000; // more than one answer

  @TempDir Path folder;
  private ClewProcess clew;

  @BeforeEach
  void start() throws IOException {
    clew = ClewProcess.start(folder, Map.of(), "mcp", "--owner", "ann", "--write");
  }

  @AfterEach
  void stop() {
    clew.close();
  }

  private static String request(String method, String params) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":" + params + "}";
  }

  private static String call(String tool, String arguments) {
    return request("tools/call", "{\"name\":\"" + tool + "\",\"arguments\":" + arguments + "}");
  }

  @Test
  void whateverItIsSent_itAnswersOnOneLine_andTheNextRequestToo() throws Exception {
    List<String> messages =
        List.of(
            request("resources/list", "{\"cursor\":\"AAAA\"}"), // first: see RemovedFileTest
            "not json",
            "{",
            "[]",
            "[" + PING.strip() + "]",
            "null",
            "5",
            "{}",
            "{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"ping\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":1}",
            request("ping", "[".repeat(1_000) + "]".repeat(1_000)),
            request("ping", "{\"_meta\":5}"),
            "x".repeat(10_000_000),
            "\u0000\u001b[2J\uFFFF",
            request("tools/call", "{}"),
            call("no_such_tool", "{}"),
            call("append_message", "\"text\""),
            call("append_message", "{\"role\":\"user\",\"text\":\"" + "y".repeat(3 << 20) + "\"}"),
            call("append_message", "{\"role\":\"user\",\"text\":\"a\\u0000b\\ud800\"}"),
            call("search_conversations", "{\"query\":\"\\u0000 \\\"\",\"cursor\":\"999\"}"),
            call("get_conversation", "{\"session_id\":\"x\",\"before\":-99999999999999999999}"),
            call("fork_conversation", "{\"session_id\":\"../../etc/passwd\"}"),
            request("resources/read", "{\"uri\":\"clew://sessions/%zz\"}"));
    for (String message : messages) {
      clew.type(message + "\n");
      String answer = clew.line();
      assertThat(answer).as(message.substring(0, Math.min(80, message.length()))).isNotNull();
      assertThat(Json.fields(answer)).containsKey("id");
      assertThat(answer).doesNotContain("cannot be used at the moment", "-32603");
      clew.type(PING);
      assertThat(clew.line()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"result\":{}}");
    }
    clew.type(call("append_message", "{\"role\":\"user\",\"text\":\"kept\"}") + "\n");
    assertThat(clew.line()).contains("structuredContent");
    assertThat(clew.end()).isEqualTo(ExitCode.OK);
    assertThat(clew.err()).doesNotContain("Exception");
  }

  @Test
  void whoReadsNothingForLong_getsEveryAnswer() throws Exception {
    FutureTask<Void> sending =
        new FutureTask<>(
            () -> {
              for (int i = 0; i < UNREAD; i++) {
                clew.type("{\"jsonrpc\":\"2.0\",\"id\":" + i + ",\"method\":\"tools/list\"}\n");
                if (i % 3 == 0) { // some do not wait for theirs
                  clew.type(
                      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":"
                          + "{\"requestId\":"
                          + i
                          + "}}\n");
                }
              }
              clew.type(PING);
              return null;
            });
    new Thread(sending).start();
    while (clew.process.getInputStream().available() < PIPE) {
      Thread.onSpinWait();
    }
    Set<String> answered = new HashSet<>();
    for (String line = clew.line(); !line.contains("\"p\""); line = clew.line()) {
      assertThat(answered.add(Json.fields(line).get("id"))).isTrue();
    }
    sending.get();
    while (!missing(answered).isEmpty()) { // a ping does not wait for those before it
      answered.add(Json.fields(clew.line()).get("id"));
    }
    assertThat(clew.end()).isEqualTo(ExitCode.OK);
  }

  /** The requests without an answer that were not cancelled. */
  private static Set<Integer> missing(Set<String> answered) {
    Set<Integer> missing = new HashSet<>();
    for (int i = 0; i < UNREAD; i++) {
      if (i % 3 != 0 && !answered.contains(String.valueOf(i))) {
        missing.add(i);
      }
    }
    return missing;
  }

  @Test
  void itEndsWhenNobodyReadsAnyMore() throws Exception {
    clew.type(PING);
    assertThat(clew.line()).contains("result");
    clew.process.getInputStream().close();
    while (clew.process.isAlive()) {
      try {
        clew.type(PING);
      } catch (IOException e) {
        break; // it has ended
      }
    }
    assertThat(clew.await()).isNotEqualTo(ExitCode.OK);
  }
}
