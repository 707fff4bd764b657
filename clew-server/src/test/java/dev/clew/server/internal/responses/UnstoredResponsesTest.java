package dev.clew.server.internal.responses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UnstoredResponsesTest {
  private static final List<Item> LARGE = List.of(Item.user("x".repeat(12 << 20)));
  private final UnstoredResponses unstored = new UnstoredResponses();
  private final List<UnstoredResponses> others = new ArrayList<>();

  @AfterEach
  void free() {
    unstored.close();
    others.forEach(UnstoredResponses::close);
  }

  @Test
  void theNewestOfEachLaneIsFound() {
    unstored.put("", "one", List.of(Item.user("1")));
    unstored.put("a", "two", List.of(Item.user("2")));
    unstored.put("", "three", List.of(Item.user("3")));
    assertThat(unstored.find("one")).isEmpty();
    assertThat(unstored.find("two")).contains(List.of(Item.user("2")));
    assertThat(unstored.find("three")).contains(List.of(Item.user("3")));
  }

  @Test
  void itIsForgottenByItsOwnLaneOnly() {
    unstored.put("a", "one", LARGE);
    unstored.evict("b", "one");
    unstored.evict("a", "other");
    assertThat(unstored.find("one")).isPresent();
    unstored.evict("a", "one");
    assertThat(unstored.find("one")).isEmpty();
  }

  @Test
  void theOldestIsForgottenWhenTheyAreTooLarge() {
    unstored.put("a", "one", LARGE);
    unstored.put("b", "two", LARGE);
    unstored.put("c", "three", LARGE);
    assertThat(unstored.find("one")).isEmpty();
    assertThat(unstored.find("two")).isPresent();
    assertThat(unstored.find("three")).isPresent();
    unstored.put("d", "huge", List.of(Item.user("x".repeat(33 << 20))));
    assertThat(unstored.find("huge")).isEmpty();
    assertThat(unstored.find("three")).isPresent();
  }

  @Test
  void allConnectionsTogetherAreBounded_andFreeWhatTheyHeld() {
    long most = Math.max(32 << 20, Runtime.getRuntime().maxMemory() / 16);
    int stored = 0;
    for (long held = 0; held <= most; held += 12 << 20) {
      UnstoredResponses other = new UnstoredResponses();
      others.add(other);
      other.put("", "x", LARGE);
      stored += other.find("x").isPresent() ? 1 : 0;
    }
    assertThat(stored).isPositive().isLessThan(others.size());
    others.forEach(UnstoredResponses::close);
    unstored.put("", "one", LARGE);
    assertThat(unstored.find("one")).isPresent();
    unstored.close();
    unstored.put("", "two", LARGE);
    assertThat(unstored.find("two")).isEmpty();
  }
}
