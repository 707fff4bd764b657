package dev.clew.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What each example prints, run as a program. */
class MainsTest {
  private static final String UNKNOWN =
      "I do not know: you have not told me your name in this conversation.";
  private static final String KNOWN = "Your name is Ada.";
  private static final String MET = "Nice to meet you, Ada.";

  /** These need a server and are run by tests of their own. */
  private static final Set<String> ELSEWHERE =
      Set.of(
          "ConversationsMemory",
          "OpenConversations",
          "ProviderCompaction",
          "ServerManagedHistory",
          "RedisMemory");

  private static final Map<String, List<String>> PRINTED = new TreeMap<>();

  private static void prints(String example, String... lines) {
    PRINTED.put(example, List.of(lines));
  }

  static {
    prints(
        "ApprovalAcrossRestart",
        "Waiting for a person; the program ends here.",
        "Cancelled: \"dentist\", (day), 09:00.");
    prints("AsyncChat", KNOWN);
    prints("BasicSession", MET, KNOWN, "The session has 4 items.");
    prints(
        "ChatManager",
        "user: Hello",
        "assistant: Hi!",
        "Sessions: 1",
        "Too old: 0",
        "After clear: []",
        "Deleted: true");
    prints(
        "ClearWithConfirmation",
        "Delete 2 items? (yes/no) no",
        "Nothing was deleted.",
        "Delete 2 items? (yes/no) yes",
        "The session is empty now.",
        "The session is empty already.");
    prints(
        "CompressHistory",
        "61 -> 19 items",
        "first: " + Item.system("You are a support agent."),
        "second: " + Item.user("Question 22"),
        "Replaced, but readable on request: 43 items");
    prints("ConcurrentWriters", "4 writers stored 200 items.");
    prints("CustomSession", MET, KNOWN);
    prints(
        "CustomTables",
        "用户: 我叫什么名字？",
        "助手: 我不知道：你在这次对话里还没有告诉我你的名字。",
        "用户: 我叫张三",
        "助手: 很高兴认识你，张三。",
        "用户: 我叫什么名字？",
        "助手: 你叫张三。",
        "最近的记录: 5");
    prints(
        "EditHistory",
        "Loaded 2 prior items.",
        "Took back what the user said.",
        "The newest item: " + Item.assistant("San Francisco."),
        "After clearing: 0 items.");
    prints(
        "ExportImport",
        Item.user("Hello").json(),
        "{\"type\":\"new\",\"n\":1e400}",
        "The same: true");
    prints("HistoryByHand", KNOWN, "4 items to carry on");
    prints(
        "HumanApproval",
        "Entered: \"meeting\", (day), 14:00.",
        "Not cancelled: \"meeting\" stays.",
        "May I call cancel_event{\"event_id\":\"evt_1\",\"title\":\"meeting\"}? Yes.",
        "Cancelled: \"meeting\", (day), 14:00.");
    prints("LimitedHistory", KNOWN, UNKNOWN, UNKNOWN, UNKNOWN, KNOWN);
    prints(
        "ManageHistory",
        "Trimmed: true",
        "50 items, from " + Item.user("Question 16"),
        "Trimmed: false");
    prints("ManualCompaction", "Before: 6 items", "After: 4 items", KNOWN);
    prints("ManyUsers", MET, KNOWN, UNKNOWN, UNKNOWN, "Removed: 0");
    prints("MessengerBot", MET, MET, KNOWN, UNKNOWN, "4 items");
    prints(
        "OwnTool",
        "It is 18 degrees and sunny in Oslo.",
        "stored: " + Item.user("What is the weather in Oslo?"),
        "stored: " + Item.functionCall("call_1", "get_weather", "{\"name\":\"Oslo\"}"),
        "stored: " + Item.functionCallOutput("call_1", "18 degrees and sunny in Oslo"),
        "stored: " + Item.assistant("It is 18 degrees and sunny in Oslo."));
    prints(
        "OpenSqlite",
        "in memory has 1 of our items",
        "a file has 1 of our items",
        "the same file by URL has 2 of our items",
        "other tables in it has 1 of our items");
    prints(
        "Regenerate",
        "Nice to meet you, Grace.",
        Item.user("My name is Grace.").json(),
        Item.assistant("Nice to meet you, Grace.").json());
    prints("ResetWithContext", Item.system("The user has moved from Berlin to Oslo.").json());
    prints("RetryOnFailure", "Stored 1 item, once.");
    prints("SeededMemory", "session-123: " + KNOWN);
    prints("SessionLifecycle", "(0 items before) " + MET, "(2 items before) " + KNOWN);
    prints(
        "ShapedInput",
        KNOWN,
        "shown: " + Item.user("My name is Ada."),
        "shown: " + Item.user("What is my name?"),
        "shown: " + Item.assistant(KNOWN));
    prints("SharedSession", MET, KNOWN, UNKNOWN);
    prints(
        "ShowTranscript",
        "user: lunch with Ann tomorrow at noon",
        "system: [tool call: create_event]",
        "system: [tool result: {\"id\":\"evt_1\",\"title\":\"lunch with Ann\","
            + "\"start\":\"(date)T12:00:00\",\"minutes\":null}]",
        "assistant: Entered: \"lunch with Ann\", (day), 12:00.");
    prints(
        "Streaming",
        "I am Clew's offline demonstration model, a small grammar and no language model. I can"
            + " enter events (\"meeting tomorrow at 2pm\"), move, rename and cancel them, list a"
            + " day or a week, search earlier conversations and remember your name in this one.",
        "The session has 2 items.");
    prints(
        "SwapStores",
        "memory: " + KNOWN,
        "sqlite: " + KNOWN,
        "sqlite: " + KNOWN,
        "jsonl: " + KNOWN);
    prints("TrimmedInput", KNOWN, UNKNOWN, "The session has 14 items.");
    prints("UndoItems", "Took back a turn of 2 items.", "Took back 3 items.", "3 items are left.");
    prints(
        "WriteItems",
        "user: How is it here?",
        "calls get_weather{\"city\":\"Oslo\"}",
        "is told 4 degrees, rain",
        "assistant: It rains at 4 degrees.",
        "unknown: {\"type\":\"from_the_future\",\"n\":0.10}");
  }

  @TestFactory
  Stream<DynamicTest> everyExamplePrintsWhatItShows(@TempDir Path folder) {
    return PRINTED.entrySet().stream()
        .map(
            example ->
                DynamicTest.dynamicTest(
                    example.getKey(),
                    () ->
                        assertThat(
                                Output.of(
                                    example.getKey(),
                                    folder.resolve(example.getKey() + ".file").toString()))
                            .isEqualTo(example.getValue())));
  }

  @Test
  void everyExampleIsRunAsAProgram() throws IOException {
    Set<String> run = new TreeSet<>(PRINTED.keySet());
    run.addAll(ELSEWHERE);
    assertThat(run).isEqualTo(Examples.names());
  }
}
