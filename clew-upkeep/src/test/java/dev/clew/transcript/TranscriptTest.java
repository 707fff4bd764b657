package dev.clew.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.Part;
import dev.clew.Role;
import dev.clew.transcript.Transcript.Message;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules of the converter that turns items into messages for people. */
class TranscriptTest {

  private static List<Message> messages(Item... items) {
    return Transcript.messages(List.of(items));
  }

  private static String result(String output) {
    return messages(Item.functionCallOutput("c", output)).get(0).content();
  }

  @Test
  void messages_keepRoleAndOrderAndJoinTheirTexts() {
    Item two =
        Item.message(Role.USER, List.of(Part.inputText("What city is "), Part.inputText("this?")));

    assertThat(messages(Item.system("Be short."), two, Item.assistant("San Francisco.")))
        .containsExactly(
            new Message(Role.SYSTEM, "Be short."),
            new Message(Role.USER, "What city is this?"),
            new Message(Role.ASSISTANT, "San Francisco."));
  }

  @Test
  void messages_takeTheShortFormOfAMessageToo() {
    assertThat(messages(Item.parse("{\"role\":\"user\",\"content\":\"Hello\"}")))
        .containsExactly(new Message(Role.USER, "Hello"));
  }

  @Test
  void messages_showTextPartsOnly() {
    Item picture =
        Item.parse(
            """
            {"type":"message","role":"user","content":[
              {"type":"input_text","text":"Look: "},
              {"type":"input_image","image_url":"https://example.org/a.png"},
              {"type":"text","text":"a bridge"}]}""");

    assertThat(messages(picture)).containsExactly(new Message(Role.USER, "Look: a bridge"));
  }

  @Test
  void aToolCall_isANoteOfTheSystem() {
    assertThat(messages(Item.functionCall("c", "get_weather", "{\"city\":\"Kyoto\"}")))
        .containsExactly(new Message(Role.SYSTEM, "[tool call: get_weather]"));
  }

  @Test
  void aToolResult_isANoteOfTheSystemOnOneLine() {
    assertThat(messages(Item.functionCallOutput("c", "sunny\n\t21 °C")))
        .containsExactly(new Message(Role.SYSTEM, "[tool result: sunny  21 °C]"));
  }

  @Test
  void aToolResultOfAHundredCharacters_isNotCut() {
    assertThat(result("x".repeat(100))).isEqualTo("[tool result: " + "x".repeat(100) + "]");
    assertThat(result("x".repeat(101))).isEqualTo("[tool result: " + "x".repeat(100) + "...]");
  }

  @Test
  void aToolResult_isCutBetweenCharactersNotInsideOfOne() {
    assertThat(result("😀".repeat(100))).isEqualTo("[tool result: " + "😀".repeat(100) + "]");
    assertThat(result("x" + "😀".repeat(200)))
        .isEqualTo("[tool result: x" + "😀".repeat(99) + "...]");
  }

  @Test
  void whatNobodySaid_isLeftOut() {
    Item reasoning = Item.parse("{\"type\":\"reasoning\",\"summary\":[]}");
    Item unknown = Item.parse("{\"type\":\"hologram\",\"text\":\"?\"}");

    assertThat(messages(reasoning, Item.user("Hi"), unknown))
        .containsExactly(new Message(Role.USER, "Hi"));
  }
}
