package dev.clew.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.imports.Import;
import dev.clew.imports.ImportFormats;
import dev.clew.imports.ImportListener;
import dev.clew.memory.MemoryStore;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.image.Image;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.AudioContent;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageSerializer;
import dev.langchain4j.data.message.CustomMessage;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.PdfFileContent;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.data.message.VideoContent;
import dev.langchain4j.memory.ChatMemory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written for each kind of message, and that it comes back as it was. */
class LangChain4jCodecTest {
  private final MemoryStore store = new MemoryStore();

  @TempDir Path folder;

  @AfterEach
  void close() {
    store.close();
  }

  /** The class path is the one that this run is meant to test. */
  @Test
  void theVersionOfTheCoreIsTheExpectedOne() {
    boolean next =
        Arrays.stream(ChatMemory.class.getMethods()).anyMatch(m -> m.getName().equals("addAsync"));
    assertThat(System.getProperty("clew.langchain4j")).startsWith(next ? "1.20." : "1.19.");
  }

  private ChatMessage comesBack(ChatMessage message) {
    store.session("trip").delete();
    ClewChatMemory.of(store, "trip").add(message);
    List<ChatMessage> read = read();
    assertThat(read).containsExactly(message);
    return read.get(0);
  }

  private List<ChatMessage> read() {
    return ClewChatMemoryStore.builder(store).repair(false).build().getMessages("trip");
  }

  private List<Entry> entries() {
    return store.session("trip").entries(Range.latest(100)).entries();
  }

  @Test
  void texts() {
    comesBack(UserMessage.from("hello"));
    assertThat(entries().get(0).item()).isEqualTo(Item.user("hello"));
    assertThat(entries().get(0).notes()).isEmpty();
    comesBack(SystemMessage.from("rules"));
    comesBack(AiMessage.from("hi"));
    comesBack(UserMessage.from("ann", "hello"));
    comesBack(
        UserMessage.builder()
            .contents(List.of(TextContent.from("a"), TextContent.from("b")))
            .attributes(Map.of("colour", "blue", "deep", Map.of("x", List.of(1, "y"))))
            .build());
  }

  @Test
  void answers() {
    ToolExecutionRequest call =
        ToolExecutionRequest.builder().id("a").name("weather").arguments("no json").build();
    ToolExecutionRequest nameless =
        ToolExecutionRequest.builder().name("clock").arguments("{}").build();
    comesBack(AiMessage.from(call, nameless));
    comesBack(
        AiMessage.builder()
            .text("text")
            .thinking("thought")
            .toolExecutionRequests(List.of(call))
            .attributes(Map.of("signature", "s"))
            .build());
    comesBack(AiMessage.builder().text("").build());
    assertThat(entries().get(0).item().type()).isEqualTo("langchain4j_message");
  }

  @Test
  void results() {
    comesBack(ToolExecutionResultMessage.from("a", "weather", "rain"));
    assertThat(entries().get(0).item()).isEqualTo(Item.functionCallOutput("a", "rain"));
    comesBack(ToolExecutionResultMessage.from(null, "clock", "noon"));
    comesBack(
        ToolExecutionResultMessage.builder()
            .id("a")
            .toolName("weather")
            .isError(true)
            .attributes(Map.of("x", 1))
            .contents(List.of(TextContent.from("see"), ImageContent.from("AQID", "image/png")))
            .build());
    comesBack(CustomMessage.from(Map.of("a", Map.of("b", 1))));
    assertThat(entries().get(0).item().type()).isEqualTo("langchain4j_custom");
  }

  @Test
  void contents() {
    comesBack(
        UserMessage.from(
            TextContent.from("look"),
            ImageContent.from("AQID", "image/gif", ImageContent.DetailLevel.ULTRA_HIGH),
            ImageContent.from("https://example.com/a.jpg"),
            ImageContent.from(
                Image.builder().url("https://example.com/b").revisedPrompt("p").build()),
            AudioContent.from("AQIE", "audio/wav"),
            AudioContent.from("https://example.com/a.ogg"),
            PdfFileContent.from("AQIF", "application/pdf"),
            PdfFileContent.from("https://example.com/a.pdf"),
            VideoContent.from("AQIG", "video/mp4"),
            TextContent.from("end")));
    assertThat(entries().get(0).item().json())
        .contains("data:image/gif;base64,AQID", "\"detail\":\"high\"", "data:application/pdf")
        .contains("\"data\":\"AQIE\"", "https://example.com/a.pdf")
        .doesNotContain("AQIG");
    assertThat(entries().get(0).notes().toString())
        .doesNotContain("AQID", "AQIE", "AQIF", "raw")
        .contains("AQIG");
  }

  @Test
  void theImagesOfAnAnswerAreImages() {
    Image image = Image.builder().base64Data("AQID").mimeType("image/png").build();
    AiMessage answer =
        AiMessage.builder()
            .text("here")
            .attributes(Map.of("generated_images", List.of(image)))
            .build();
    AiMessage read = (AiMessage) comesBack(answer);
    assertThat(read.images()).containsExactly(image);
  }

  @Test
  void attributesThatAreNoJsonAreKeptAsText() {
    Object value = new Object();
    ClewChatMemory.of(store, "trip")
        .add(AiMessage.builder().text("hi").attributes(Map.of("it", value, "n", 1)).build());
    assertThat(((AiMessage) read().get(0)).attributes())
        .containsEntry("it", value.toString())
        .containsEntry("n", 1);
  }

  @Test
  void attributesThatContainThemselvesAreKeptAsText() {
    List<Object> list = new ArrayList<>();
    list.add(list);
    ClewChatMemory.of(store, "trip")
        .add(AiMessage.builder().text("hi").attributes(Map.of("list", list)).build());
    assertThat(((AiMessage) read().get(0)).attributes())
        .containsEntry("list", "[(this Collection)]");
  }

  @Test
  void whatWasImportedIsRead() throws Exception {
    List<ChatMessage> messages =
        List.of(
            SystemMessage.from("rules"),
            UserMessage.from("ann", "hello"),
            AiMessage.builder()
                .text("let me see")
                .thinking("thought")
                .toolExecutionRequests(
                    List.of(
                        ToolExecutionRequest.builder()
                            .id("a")
                            .name("weather")
                            .arguments("{}")
                            .build()))
                .attributes(Map.of("signature", "s"))
                .build(),
            ToolExecutionResultMessage.builder()
                .id("a")
                .toolName("weather")
                .text("rain")
                .isError(false)
                .build(),
            AiMessage.from("rain"),
            UserMessage.from(ImageContent.from("AQID", "image/png", ImageContent.DetailLevel.AUTO)),
            CustomMessage.from(Map.of("a", 1)));
    Path file = folder.resolve("trip.json");
    Files.writeString(file, ChatMessageSerializer.messagesToJson(messages));
    Import.of(ImportFormats.named("langchain4j"), file.toString(), store).run(ImportListener.NONE);
    assertThat(read()).isEqualTo(messages);
  }
}
