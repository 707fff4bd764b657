package dev.clew.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What the log says of values that are no JSON. */
class KeptAsTextTest {
  @Test
  void eachNameIsLoggedOnceAndWithoutItsValue() {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      KeptAsText kept = new KeptAsText("AgentScope");
      assertThat(kept.text("lock", new AtomicReference<>("secret"))).isEqualTo("secret");
      kept.text("lock", new AtomicReference<>("secret"));
      kept.text("other", new AtomicReference<>("secret"));
    } finally {
      System.setErr(before);
    }
    assertThat(log.toString(StandardCharsets.UTF_8).lines())
        .filteredOn(line -> line.contains("kept as text"))
        .hasSize(2)
        .noneMatch(line -> line.contains("secret"))
        .first()
        .asString()
        .contains(
            "'lock' of a message of AgentScope", "java.util.concurrent.atomic.AtomicReference");
  }

  @Test
  void whatContainsItselfHasATextToo() {
    List<Object> one = new ArrayList<>();
    List<Object> other = new ArrayList<>(List.of(one));
    one.add(other);
    assertThat(new KeptAsText("AgentScope").text("loop", one)).isEqualTo("java.util.ArrayList");
  }
}
