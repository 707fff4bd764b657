package dev.clew.springai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.memory.MemoryStore;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.content.Media;
import org.springframework.ai.content.MediaContent;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.util.MimeType;

/** What is written for each kind of message, and that it comes back as it was. */
class SpringMessageCodecTest {
  private static final byte[] BYTES = {1, 2, 3, -1};

  private final MemoryStore store = new MemoryStore();
  private final SpringMessageCodec codec = new SpringMessageCodec();

  @AfterEach
  void close() {
    store.close();
  }

  /** The class path is the one that this run is meant to test. */
  @Test
  void theVersionOfSpringAiIsTheExpectedOne() throws Exception {
    String expected = System.getProperty("clew.spring-ai");
    boolean first =
        Arrays.stream(Media.Builder.class.getMethods())
            .anyMatch(m -> m.getName().equals("data") && m.getParameterTypes()[0] == Object.class);
    assertThat(expected).startsWith(first ? "1.1." : "2.0.");
    assertThat(ChatMemory.class.getProtectionDomain().getCodeSource().getLocation().getPath())
        .contains(first ? "spring-ai-1/" : expected);
  }

  private Message comesBack(Message message) {
    ClewChatMemory.of(store).add("trip", List.of(message));
    List<Message> read = ClewChatMemoryRepository.of(store).findByConversationId("trip");
    assertThat(read).hasSize(1);
    assertThat(read.get(0)).isNotSameAs(message);
    if (!(message instanceof MediaContent content) || content.getMedia().isEmpty()) {
      assertThat(read.get(0)).isEqualTo(message); // media are equal only to themselves
    }
    assertThat(codec.write(read.get(0))).isEqualTo(codec.write(message));
    return read.get(0);
  }

  private List<Entry> entries() {
    return store.session("trip").entries(Range.latest(100)).entries();
  }

  private static Media image(String name) {
    return Media.builder()
        .mimeType(MimeType.valueOf("image/png"))
        .data(new ByteArrayResource(BYTES))
        .name(name)
        .id("m1")
        .build();
  }

  @Test
  void texts() {
    comesBack(new UserMessage("hello"));
    assertThat(entries().get(0).item()).isEqualTo(Item.user("hello"));
    assertThat(entries().get(0).notes()).isEmpty();
  }

  @Test
  void aSystemMessage() {
    comesBack(SystemMessage.builder().text("rules").metadata(Map.of("version", 2)).build());
    assertThat(entries().get(0).item()).isEqualTo(Item.system("rules"));
  }

  @Test
  void metadataKeepsItsTypes() {
    Map<String, Object> metadata = new HashMap<>();
    metadata.put("int", 1);
    metadata.put("long", 1L);
    metadata.put("double", 1.0);
    metadata.put("tiny", 1.0E-300);
    metadata.put("nan", Double.NaN);
    metadata.put("float", 1.5f);
    metadata.put("big", new BigInteger("123456789012345678901234567890"));
    metadata.put("decimal", new BigDecimal("1.10"));
    metadata.put("at", Instant.parse("2026-01-02T03:04:05.123456789Z"));
    metadata.put("set", Set.of("a"));
    metadata.put("list", List.of(1, 2L, "x"));
    metadata.put("map", Map.of("$long", "no number", "b", 2L));
    metadata.put("tag", Map.of("$long", "7"));
    metadata.put("null", null);
    metadata.put("text", "\ud800 lone");
    comesBack(UserMessage.builder().text("hello").metadata(metadata).build());
  }

  @Test
  void metadataThatIsNoJsonIsKeptAsText() {
    Thread value = new Thread("worker");
    ClewChatMemory.of(store)
        .add(
            "trip",
            List.of(UserMessage.builder().text("hi").metadata(Map.of("thread", value)).build()));
    Message read = ClewChatMemoryRepository.of(store).findByConversationId("trip").get(0);
    assertThat(read.getMetadata()).containsEntry("thread", value.toString());
  }

  @Test
  void metadataThatContainsItselfIsKeptAsText() {
    List<Object> list = new ArrayList<>();
    list.add(list);
    ClewChatMemory.of(store)
        .add(
            "trip",
            List.of(UserMessage.builder().text("hi").metadata(Map.of("list", list)).build()));
    Message read = ClewChatMemoryRepository.of(store).findByConversationId("trip").get(0);
    assertThat(read.getMetadata()).containsEntry("list", "[(this Collection)]");
  }

  @Test
  void imagesFilesAndSounds() {
    Media url = new Media(MimeType.valueOf("image/jpeg"), URI.create("https://example.com/a.jpg"));
    Media pdf = new Media(Media.Format.DOC_PDF, new ByteArrayResource(BYTES));
    Media sound = new Media(MimeType.valueOf("audio/wav"), new ByteArrayResource(BYTES));
    Media film = new Media(MimeType.valueOf("video/mp4"), new ByteArrayResource(BYTES));
    Media odd = new Media(MimeType.valueOf("image/png"), URI.create("gs://bucket/a.png"));
    List<Media> media = List.of(image("a"), url, film, pdf, odd, sound);
    UserMessage read =
        (UserMessage) comesBack(UserMessage.builder().text("look").media(media).build());
    assertThat(read.getMedia().get(2).getDataAsByteArray()).isEqualTo(BYTES);
    assertThat(entries().get(0).item().json())
        .contains("\"image_url\":\"data:image/png;base64,AQID/w==\"")
        .contains("\"image_url\":\"https://example.com/a.jpg\"")
        .contains("\"file_data\":\"data:application/pdf;base64,AQID/w==\"")
        .contains("\"input_audio\":{\"data\":\"AQID/w==\",\"format\":\"wav\"}")
        .doesNotContain("gs://");
    assertThat(entries().get(0).notes().toString()).doesNotContain("raw");
  }

  @Test
  void twoMessagesWithDifferentImagesAreTwo() {
    ClewChatMemoryRepository repository = ClewChatMemoryRepository.of(store);
    UserMessage one = UserMessage.builder().text("look").media(image("a")).build();
    UserMessage other = UserMessage.builder().text("look").media(image("b")).build();
    assertThat(one).isEqualTo(other);
    repository.saveAll("trip", List.of(one));
    repository.saveAll("trip", List.of(one, other));
    assertThat(repository.findByConversationId("trip")).hasSize(2);
  }

  @Test
  void callsAndResults() {
    AssistantMessage calls =
        AssistantMessage.builder()
            .content("let me see")
            .toolCalls(
                List.of(
                    new ToolCall("a", "function", "weather", "{\"city\":\"Oslo\"}"),
                    new ToolCall("b", "custom", "clock", "no json")))
            .properties(Map.of("finishReason", "TOOL_CALLS"))
            .build();
    ToolResponseMessage results =
        ToolResponseMessage.builder()
            .responses(
                List.of(
                    new ToolResponse("a", "weather", "rain"), new ToolResponse("b", "clock", "")))
            .build();
    List<Message> all = List.of(new UserMessage("q"), calls, results, new AssistantMessage("done"));
    ClewChatMemory.of(store).add("trip", all);
    assertThat(ClewChatMemoryRepository.of(store).findByConversationId("trip")).isEqualTo(all);
    assertThat(entries().stream().map(entry -> entry.item().type()))
        .containsExactly(
            "message",
            "message",
            "function_call",
            "function_call",
            "function_call_output",
            "function_call_output",
            "message");
  }

  @Test
  void answersWithoutText() {
    List<ToolCall> calls = List.of(new ToolCall("a", "function", "weather", "{}"));
    comesBack(AssistantMessage.builder().content(null).toolCalls(calls).build());
    ClewChatMemory.of(store).clear("trip");
    comesBack(AssistantMessage.builder().content("").toolCalls(calls).build());
    ClewChatMemory.of(store).clear("trip");
    comesBack(AssistantMessage.builder().content(null).build());
    ClewChatMemory.of(store).clear("trip");
    comesBack(AssistantMessage.builder().content("").media(List.of(image("a"))).build());
    ClewChatMemory.of(store).clear("trip");
    comesBack(new UserMessage(""));
  }

  @Test
  void itemsOfOtherPrograms() {
    store
        .session("trip")
        .addItems(
            List.of(
                Item.parse("{\"role\":\"user\",\"content\":\"short\"}"),
                Item.parse(
                    "{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_image\","
                        + "\"image_url\":\"data:image/gif;base64,AQID/w==\"}]}"),
                Item.parse("{\"type\":\"reasoning\",\"summary\":[]}"),
                Item.functionCall("a", "weather", "{}"),
                Item.functionCall("b", "clock", "{}"),
                Item.functionCallOutput("a", "rain"),
                Item.functionCallOutput("b", "noon"),
                Item.parse("{\"type\":\"langchain4j_custom\",\"x\":1}"),
                Item.assistant("done")));
    List<Message> read = ClewChatMemory.of(store).get("trip");
    assertThat(read).hasSize(5);
    UserMessage image = (UserMessage) read.get(1);
    assertThat(image.getMedia().get(0).getMimeType()).hasToString("image/gif");
    assertThat(image.getMedia().get(0).getDataAsByteArray()).isEqualTo(BYTES);
    assertThat(((AssistantMessage) read.get(2)).getToolCalls()).hasSize(2);
    assertThat(((ToolResponseMessage) read.get(3)).getResponses())
        .containsExactly(
            new ToolResponse("a", "weather", "rain"), new ToolResponse("b", "clock", "noon"));
  }
}
