package dev.clew.springai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.memory.MemoryStore;
import dev.clew.tck.FaultyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.content.MediaContent;
import org.springframework.ai.tokenizer.TokenCountEstimator;

/** The memory, and Spring AI's own one over the repository. */
class ClewChatMemoryTest {
  private final MemoryStore store = new MemoryStore();

  @AfterEach
  void close() {
    store.close();
  }

  private static List<String> texts(List<Message> messages) {
    return messages.stream().map(Message::getText).toList();
  }

  private static void turns(ChatMemory memory, int count) {
    for (int i = 1; i <= count; i++) {
      memory.add("trip", new UserMessage("q" + i));
      memory.add("trip", List.of(new AssistantMessage("a" + i)));
    }
  }

  @Test
  void itShowsTheNewestTurnsAfterTheSystemMessage() {
    ChatMemory memory = ClewChatMemory.builder(store).turns(2).build();
    memory.add("trip", new SystemMessage("rules"));
    turns(memory, 200);
    assertThat(texts(memory.get("trip"))).containsExactly("rules", "q199", "a199", "q200", "a200");
    assertThat(store.session("trip").getItems()).hasSize(401);
    assertThat(texts(ClewChatMemory.builder(store).items(2).build().get("trip")))
        .containsExactly("rules", "q200", "a200");
  }

  @Test
  void itShowsAsMuchAsTheTokensAllow() {
    ChatMemory memory = ClewChatMemory.builder(store).tokens(4, new OneTokenForEachText()).build();
    turns(memory, 100);
    assertThat(texts(memory.get("trip"))).containsExactly("q99", "a99", "q100", "a100");
    assertThat(
            texts(
                ClewChatMemory.builder(store)
                    .tokens(1, new OneTokenForEachText())
                    .build()
                    .get("trip")))
        .containsExactly("q100", "a100");
    assertThat(
            texts(
                ClewChatMemory.builder(store)
                    .tokens(1000, new OneTokenForEachText())
                    .build()
                    .get("trip")))
        .hasSize(200);
  }

  @Test
  void springsOwnWindowOverTheRepositoryLosesNothing() {
    ChatMemory memory =
        MessageWindowChatMemory.builder()
            .chatMemoryRepository(ClewChatMemoryRepository.of(store))
            .maxMessages(4)
            .build();
    memory.add("trip", new SystemMessage("rules"));
    turns(memory, 50);
    memory.add("trip", List.of());
    assertThat(texts(memory.get("trip"))).startsWith("rules").endsWith("a50").hasSizeBetween(3, 4);
    assertThat(store.session("trip").getItems()).hasSize(101);
    memory.clear("trip");
    assertThat(memory.get("trip")).isEmpty();
  }

  @Test
  void conversationsBelongToTheirOwner() {
    ClewChatMemoryRepository ann = ClewChatMemoryRepository.builder(store).owner("ann").build();
    ann.saveAll("trip", List.of(new UserMessage("hello")));
    ann.saveAll("work", List.of(new UserMessage("hello")));
    assertThat(ClewChatMemoryRepository.of(store).findConversationIds()).isEmpty();
    assertThat(ann.findConversationIds()).containsExactlyInAnyOrder("trip", "work");
    assertThat(store.session(new SessionKey("ann", "trip")).getItems()).hasSize(1);
  }

  @Test
  void idsAreBounded() {
    IntStream.range(0, 1_005)
        .forEach(i -> store.session("s" + i).addItems(List.of(Item.user("hi"))));
    assertThat(ClewChatMemoryRepository.of(store).findConversationIds()).hasSize(1_005);
    assertThat(ClewChatMemoryRepository.builder(store).mostIds(1_001).build().findConversationIds())
        .hasSize(1_001);
    ClewChatMemoryRepository own =
        ClewChatMemoryRepository.builder(store).keys(id -> SessionKey.of("x" + id)).build();
    assertThatThrownBy(own::findConversationIds)
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("set an owner");
  }

  @Test
  void aStoreThatIsAwaySaysSoAndHalfOfATurnIsNotWritten() {
    FaultyStore faulty = new FaultyStore(store);
    ChatMemory memory = ClewChatMemory.of(faulty);
    memory.add("trip", new UserMessage("q"));
    faulty.failBefore(FaultyStore.every("apply"));
    List<Message> answer =
        new ArrayList<>(List.of(new AssistantMessage("a"), new UserMessage("b")));
    assertThatThrownBy(() -> memory.add("trip", answer))
        .isInstanceOf(ClewException.StoreUnavailable.class);
    faulty.heal();
    assertThat(texts(memory.get("trip"))).containsExactly("q");
    memory.add("trip", answer);
    assertThat(texts(memory.get("trip"))).containsExactly("q", "a", "b");
  }

  /** A counter that needs no library. */
  private static final class OneTokenForEachText implements TokenCountEstimator {
    @Override
    public int estimate(String text) {
      return 1;
    }

    @Override
    public int estimate(MediaContent content) {
      return 1;
    }

    @Override
    public int estimate(Iterable<MediaContent> messages) {
      return 1;
    }
  }
}
