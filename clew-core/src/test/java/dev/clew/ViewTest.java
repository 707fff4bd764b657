package dev.clew;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ViewTest {
  private static View view(String json) {
    return Item.parse(json).view();
  }

  private static View.Message message(String json) {
    return (View.Message) view(json);
  }

  @Test
  void theLongFormOfTheSeedIsAMessage() {
    View.Message message =
        message(
            """
            {
                "type": "message",
                "role": "user",
                "content": [
                    {
                        "type": "input_text",
                        "text": "请帮我总结这篇文章的要点。"
                    }
                ]
            }
            """);

    assertThat(message.role()).isEqualTo(Role.USER);
    assertThat(message.text()).isEqualTo("请帮我总结这篇文章的要点。");
    assertThat(message.content())
        .containsExactly(
            new Part.Text(
                "input_text",
                "请帮我总结这篇文章的要点。",
                "{\"type\":\"input_text\",\"text\":\"请帮我总结这篇文章的要点。\"}"));
  }

  @Test
  void theShortFormOfTheSeedIsAMessageWithOneTextPart() {
    View.Message user = message("{\"role\":\"user\",\"content\":\"Hello\\n\"}");
    View.Message model = message("{\"content\":\"Hi\",\"role\":\"assistant\"}");

    assertThat(user.content())
        .containsExactly(new Part.Text("input_text", "Hello\n", "\"Hello\\n\""));
    assertThat(model.content()).containsExactly(new Part.Text("output_text", "Hi", "\"Hi\""));
  }

  @ParameterizedTest
  @CsvSource({"user,USER", "assistant,ASSISTANT", "system,SYSTEM", "developer,DEVELOPER"})
  void everyRoleIsUnderstood(String wire, Role role) {
    assertThat(message("{\"role\":\"" + wire + "\",\"content\":\"x\"}").role()).isEqualTo(role);
    assertThat(role.wire()).isEqualTo(wire);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\":\"message\"}",
        "{\"type\":\"message\",\"role\":\"tool\",\"content\":\"x\"}",
        "{\"type\":\"message\",\"role\":\"User\",\"content\":\"x\"}",
        "{\"type\":\"message\",\"role\":\"user\"}",
        "{\"type\":\"message\",\"role\":\"user\",\"content\":null}",
        "{\"type\":\"message\",\"role\":\"user\",\"content\":{\"text\":\"x\"}}",
        "{\"type\":\"function_call\",\"name\":\"f\",\"arguments\":\"{}\"}",
        "{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"f\",\"arguments\":{}}",
        "{\"type\":\"function_call_output\",\"call_id\":\"c\"}",
        "{\"type\":\"function_call_output\",\"output\":\"x\"}",
      })
  void anItemThatLacksWhatItsTypeCallsForIsOther(String json) {
    assertThat(view(json)).isEqualTo(new View.Other(Item.parse(json).type()));
  }

  @Test
  void anUnknownTypeIsOther() {
    assertThat(view("{\"type\":\"web_search_call\",\"id\":\"ws_1\"}"))
        .isEqualTo(new View.Other("web_search_call"));
    assertThat(view("{}")).isEqualTo(new View.Other(""));
  }

  @Test
  void functionCallsOfTheSeedShowNameAndArguments() {
    assertThat(
            view(
                """
                {
                    "type": "function_call",
                    "call_id": "call_abc123xyz",
                    "name": "get_weather",
                    "arguments": "{\\"location\\": \\"Beijing\\", \\"unit\\": \\"celsius\\"}"
                }
                """))
        .isEqualTo(
            new View.FunctionCall(
                "call_abc123xyz",
                "get_weather",
                "{\"location\": \"Beijing\", \"unit\": \"celsius\"}"));
  }

  @Test
  void outputsOfTheSeedAreText() {
    View.FunctionCallOutput output =
        (View.FunctionCallOutput)
            view(
                "{\"type\":\"function_call_output\",\"call_id\":\"call_abc123xyz\","
                    + "\"output\":\"{\\\"temperature\\\": 22}\"}");

    assertThat(output.callId()).isEqualTo("call_abc123xyz");
    assertThat(output.text()).isEqualTo("{\"temperature\": 22}");
  }

  @Test
  void outputsMayBeParts() {
    View.FunctionCallOutput output =
        (View.FunctionCallOutput)
            view(
                "{\"type\":\"function_call_output\",\"call_id\":\"c\",\"output\":["
                    + "{\"type\":\"input_text\",\"text\":\"a\"},"
                    + "{\"type\":\"input_image\",\"image_url\":\"data:x\"},"
                    + "{\"type\":\"input_text\",\"text\":\"b\"}]}");

    assertThat(output.text()).isEqualTo("ab");
    assertThat(output.output()).hasSize(3);
  }

  @Test
  void reasoningShowsSummaryContentAndWhetherItIsEncrypted() {
    View.Reasoning reasoning =
        (View.Reasoning)
            view(
                "{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[{\"type\":\"summary_text\","
                    + "\"text\":\"thought\"}],\"content\":[{\"type\":\"reasoning_text\",\"text\":\" more\"}],"
                    + "\"encrypted_content\":\"gAAA\"}");

    assertThat(reasoning.text()).isEqualTo("thought more");
    assertThat(reasoning.encryptedContent()).contains("gAAA");
    assertThat(view("{\"type\":\"reasoning\"}"))
        .isEqualTo(new View.Reasoning(List.of(), List.of(), Optional.empty()));
    assertThat(view("{\"type\":\"reasoning\",\"summary\":[],\"encrypted_content\":null}"))
        .isEqualTo(new View.Reasoning(List.of(), List.of(), Optional.empty()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"compaction", "compaction_summary"})
  void compactionItemsShowWhatTheyStandFor(String type) {
    assertThat(view("{\"type\":\"" + type + "\",\"encrypted_content\":\"e\"}"))
        .isEqualTo(new View.Compaction(Optional.of("e"), Optional.empty()));
    assertThat(view("{\"type\":\"" + type + "\",\"summary\":\"s\"}"))
        .isEqualTo(new View.Compaction(Optional.empty(), Optional.of("s")));
  }

  @Test
  void theTextOfAMessageJoinsTextAndRefusals() {
    assertThat(
            message(
                    "{\"role\":\"assistant\",\"content\":["
                        + "{\"type\":\"output_text\",\"text\":\"a\",\"annotations\":[]},"
                        + "{\"type\":\"refusal\",\"refusal\":\"no\"},"
                        + "{\"type\":\"unheard_of\",\"text\":\"hidden\"},"
                        + "{\"type\":\"text\",\"text\":\"b\"}]}")
                .text())
        .isEqualTo("anob");
  }

  @Test
  void contentOfHundredsOfThousandsOfCharactersIsCutInTheRightPlaces() {
    String long1 = "\\u00e9é😀".repeat(20_000);
    View.Message message =
        message(
            "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\""
                + long1
                + "\"},{\"type\":\"unknown\",\"n\":0.10},\"plain\",{\"type\":\"text\",\"text\":\"end\"}]}");

    assertThat(message.text().equals("éé😀".repeat(20_000) + "plainend")).isTrue();
    assertThat(message.content().get(1).json()).isEqualTo("{\"type\":\"unknown\",\"n\":0.10}");
    assertThat(
            message
                .content()
                .get(0)
                .json()
                .equals("{\"type\":\"text\",\"text\":\"" + long1 + "\"}"))
        .isTrue();
  }
}
