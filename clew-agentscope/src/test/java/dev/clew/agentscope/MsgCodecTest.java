package dev.clew.agentscope;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.adapter.MessageFrame;
import io.agentscope.core.message.AudioBlock;
import io.agentscope.core.message.Base64Source;
import io.agentscope.core.message.ContentBlock;
import io.agentscope.core.message.DataBlock;
import io.agentscope.core.message.HintBlock;
import io.agentscope.core.message.ImageBlock;
import io.agentscope.core.message.Msg;
import io.agentscope.core.message.MsgRole;
import io.agentscope.core.message.TextBlock;
import io.agentscope.core.message.ThinkingBlock;
import io.agentscope.core.message.ToolCallState;
import io.agentscope.core.message.ToolResultBlock;
import io.agentscope.core.message.ToolUseBlock;
import io.agentscope.core.message.URLSource;
import io.agentscope.core.message.VideoBlock;
import io.agentscope.core.model.ChatUsage;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Messages as items and back. */
class MsgCodecTest {
  private final MsgCodec codec = new MsgCodec();
  private final MessageFrame<Msg> frame = new MessageFrame<>(codec);

  private static Msg message(MsgRole role, ContentBlock... blocks) {
    return Msg.builderForRole(role).name("ann").content(List.of(blocks)).build();
  }

  private static ContentBlock text(String text) {
    return TextBlock.builder().text(text).build();
  }

  private static List<Entry> entries(List<Draft> drafts) {
    List<Entry> entries = new ArrayList<>();
    for (Draft draft : drafts) {
      entries.add(new Entry(entries.size(), draft.item(), Instant.EPOCH, draft.notes(), false));
    }
    return entries;
  }

  private Msg read(List<Draft> drafts) {
    List<Msg> read = frame.messages(entries(drafts)).stream().map(one -> one.message()).toList();
    assertThat(read).hasSize(1);
    return read.get(0);
  }

  /** What comes back, and not from a copy of the whole message beside the items. */
  private List<Item> isSaidByItems(Msg message) {
    List<Draft> drafts = frame.drafts(message);
    assertThat(codec.write(read(drafts))).isEqualTo(codec.write(message));
    assertThat(drafts.toString()).doesNotContain("raw=");
    return drafts.stream().map(Draft::item).toList();
  }

  @Test
  void aUsersMessageIsAMessage() {
    List<Item> items =
        isSaidByItems(
            message(
                MsgRole.USER,
                text("Look"),
                ImageBlock.builder().source(new URLSource("https://a.b/c.png", null)).build(),
                ImageBlock.builder().source(new Base64Source("image/png", "iVBORw0K")).build(),
                AudioBlock.builder().source(new Base64Source("audio/wav", "UklGRg==")).build(),
                DataBlock.builder()
                    .source(new Base64Source("application/pdf", "JVBERi0="))
                    .name("a.pdf")
                    .build()));
    assertThat(items).hasSize(1);
    assertThat(items.get(0).json())
        .contains("\"input_text\"")
        .contains("\"image_url\":\"https://a.b/c.png\"")
        .contains("data:image/png;base64,iVBORw0K")
        .contains("\"input_audio\"")
        .contains("\"filename\":\"a.pdf\"");
  }

  @Test
  void whatNoPartCanSayIsKept() {
    isSaidByItems(
        message(
            MsgRole.USER,
            text("Look"),
            VideoBlock.builder().source(new URLSource("https://a.b/c.mp4", null)).build()));
    isSaidByItems(message(MsgRole.ASSISTANT, new HintBlock("remember", "system"), text("Yes")));
  }

  @Test
  void aMessageThatNoItemCanSayIsAnItemThatNoModelSees() {
    Msg video =
        message(
            MsgRole.USER,
            VideoBlock.builder().source(new URLSource("https://a.b/c.mp4", null)).build());
    assertThat(isSaidByItems(video).get(0).type()).isEqualTo("agentscope_message");
    assertThat(isSaidByItems(message(MsgRole.ASSISTANT)).get(0).type())
        .isEqualTo("agentscope_message");
  }

  @Test
  void anAnswerIsReasoningAMessageAndCalls() {
    Msg answer =
        Msg.builderForRole(MsgRole.ASSISTANT)
            .name("guide")
            .content(
                List.of(
                    ThinkingBlock.builder()
                        .thinking("Hm")
                        .metadata(Map.of("signature", "secret"))
                        .build(),
                    text("Let me see"),
                    ToolUseBlock.builder()
                        .id("c1")
                        .name("weather")
                        .input(Map.of("city", "Oslo", "days", 3))
                        .content("{\"city\":\"Oslo\"}")
                        .metadata(Map.of("k", "v"))
                        .state(ToolCallState.ASKING)
                        .build()))
            .metadata(Map.of("n", 1, "d", 0.5, "l", 5_000_000_000L))
            .usage(ChatUsage.builder().inputTokens(3).outputTokens(4).time(0.25).build())
            .build();
    List<Item> items = isSaidByItems(answer);
    assertThat(items)
        .extracting(Item::type)
        .containsExactly("reasoning", "message", "function_call");
    assertThat(items.toString()).doesNotContain("secret");
  }

  @Test
  void aResultIsAFunctionCallOutput() {
    Msg one =
        message(
            MsgRole.TOOL,
            ToolResultBlock.builder().id("c1").name("weather").output(text("18 degrees")).build());
    assertThat(isSaidByItems(one).get(0).json())
        .contains("\"call_id\":\"c1\"")
        .contains("\"output\":\"18 degrees\"");
    Msg several =
        message(
            MsgRole.TOOL,
            ToolResultBlock.builder()
                .id("c1")
                .name("weather")
                .output(
                    List.of(
                        text("18"),
                        ImageBlock.builder()
                            .source(new Base64Source("image/png", "iVBORw0K"))
                            .build()))
                .build(),
            ToolResultBlock.builder().id("c2").name("time").output(text("noon")).build());
    assertThat(isSaidByItems(several)).hasSize(2);
  }

  @Test
  void metadataThatIsNoJsonIsKeptAsText() {
    Msg message =
        Msg.builderForRole(MsgRole.USER)
            .content(List.of(text("Hi")))
            .metadata(Map.of("lock", new Object(), "n", 1))
            .build();
    Msg read = read(frame.drafts(message));
    assertThat(read.getMetadata().get("lock")).asString().startsWith("java.lang.Object@");
    assertThat(read.getMetadata()).containsEntry("n", 1);
  }

  @Test
  void metadataThatIsNoJsonIsOneLineInTheLog() {
    List<Object> list = new ArrayList<>();
    list.add(list);
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      MessageFrame<Msg> fresh = new MessageFrame<>(new MsgCodec());
      for (Object value : List.of(new Object(), new Object(), List.of(list))) {
        Msg message =
            Msg.builderForRole(MsgRole.USER)
                .content(List.of(text("Hi")))
                .metadata(Map.of("trace", value))
                .build();
        assertThat(fresh.drafts(message)).hasSize(1);
      }
    } finally {
      System.setErr(before);
    }
    assertThat(log.toString(StandardCharsets.UTF_8).lines())
        .singleElement()
        .asString()
        .contains("'trace' of a message of AgentScope", "kept as text");
  }

  @Test
  void whatANewerVersionNotedIsReadWithoutIt() {
    List<Draft> drafts = frame.drafts(message(MsgRole.USER, text("Hi")));
    Draft newer =
        new Draft(
            drafts.get(0).item(), Map.of("agentscope", Map.of("n", 1L, "rest", "[\"other\"]")));
    assertThat(read(List.of(newer)).getTextContent()).isEqualTo("Hi");
  }

  @Test
  void itemsOfOtherProgramsAreMessages() {
    List<Draft> drafts =
        List.of(
            Draft.of(Item.user("What is the weather in Oslo?")),
            Draft.of(Item.functionCall("c1", "weather", "{\"city\":\"Oslo\"}")),
            Draft.of(Item.functionCallOutput("c1", "18 degrees")),
            Draft.of(Item.assistant("18 degrees.")));
    List<Msg> messages =
        frame.messages(entries(drafts)).stream().map(one -> one.message()).toList();
    assertThat(messages)
        .extracting(Msg::getRole)
        .containsExactly(MsgRole.USER, MsgRole.ASSISTANT, MsgRole.TOOL, MsgRole.ASSISTANT);
    ToolUseBlock call = messages.get(1).getFirstContentBlock(ToolUseBlock.class);
    assertThat(call.getInput()).isEqualTo(Map.of("city", "Oslo"));
    ToolResultBlock result = messages.get(2).getFirstContentBlock(ToolResultBlock.class);
    assertThat(result.getName()).isEqualTo("weather");
    assertThat(result.getOutput()).hasSize(1);
  }

  @Test
  void mediaAndRefusalsOfOtherProgramsAreBlocks() {
    List<Draft> drafts =
        List.of(
            Draft.of(
                Item.parse(
                    """
                    {"type":"message","role":"user","content":[
                    {"type":"input_image","image_url":"https://a.b/c"},
                    {"type":"input_audio","input_audio":{"data":"AAEC","format":"wav"}},
                    {"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,AAEC"}
                    ]}\
                    """)),
            Draft.of(
                Item.parse(
                    """
                    {"type":"message","role":"assistant","content":[
                    {"type":"refusal","refusal":"I cannot"}]}\
                    """)));
    List<Msg> messages =
        frame.messages(entries(drafts)).stream().map(one -> one.message()).toList();
    List<ContentBlock> shown = messages.get(0).getContent();
    assertThat(shown)
        .extracting(block -> (Object) block.getClass())
        .containsExactly(ImageBlock.class, AudioBlock.class, DataBlock.class);
    assertThat(((URLSource) ((ImageBlock) shown.get(0)).getSource()).getUrl())
        .isEqualTo("https://a.b/c");
    DataBlock file = (DataBlock) shown.get(2);
    assertThat(file.getName()).isEqualTo("a.pdf");
    assertThat(((Base64Source) file.getSource()).getMediaType()).isEqualTo("application/pdf");
    assertThat(messages.get(1).getTextContent()).isEqualTo("I cannot");
  }
}
