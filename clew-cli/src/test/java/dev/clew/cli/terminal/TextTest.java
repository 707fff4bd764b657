package dev.clew.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** How text is measured, cut, wrapped and worded. */
class TextTest {
  private static final OptionalInt TEN = OptionalInt.of(10);

  @Test
  void width_countsChineseTwiceAndAccentsNotAtAll() {
    assertThat(Columns.width("abc")).isEqualTo(3);
    assertThat(Columns.width("京都")).isEqualTo(4);
    assertThat(Columns.width("e\u0301")).isEqualTo(1);
    assertThat(Columns.width("🎉")).isEqualTo(2);
  }

  @Test
  void cut_keepsWhatFitsAndNeverHalfACharacter() {
    assertThat(Columns.cut("short", 10)).isEqualTo("short");
    assertThat(Columns.cut("0123456789", 10)).isEqualTo("0123456789");
    assertThat(Columns.cut("0123456789a", 10)).isEqualTo("012345678…");
    assertThat(Columns.cut("🎉🎉🎉", 4)).isEqualTo("🎉…");
  }

  @Test
  void wrap_breaksAtSpacesAndElseAnywhere() {
    assertThat(Columns.wrap("one two three four", TEN)).containsExactly("one two", "three four");
    assertThat(Columns.wrap("0123456789abc", TEN)).containsExactly("0123456789", "abc");
    assertThat(Columns.wrap("京都京都京都", TEN)).containsExactly("京都京都京", "都");
    assertThat(Columns.wrap("a\n\n  b", TEN)).containsExactly("a", "", "  b");
    assertThat(Columns.wrap("one two three four", OptionalInt.empty()))
        .containsExactly("one two three four");
    assertThat(Columns.wrap("京都", OptionalInt.of(1))).containsExactly("京", "都");
  }

  @Test
  void plain_showsControlCharactersAsPictures() {
    assertThat(SafeText.text("a\r\nb\tc\u001b[0m\u007f\u0085"))
        .isEqualTo("a\nb\tc␛[0m\uFFFD\uFFFD");
    assertThat(SafeText.line("a\nb\tc")).isEqualTo("a b c");
  }

  @Test
  void ago_isRoughAndNeverInTheFuture() {
    Instant now = Instant.parse("2025-06-15T12:00:00Z");
    assertThat(Humanize.ago(now.plusSeconds(500), now)).isEqualTo("just now");
    assertThat(Humanize.ago(now.minusSeconds(60), now)).isEqualTo("1 minute ago");
    assertThat(Humanize.ago(now.minusSeconds(7300), now)).isEqualTo("2 hours ago");
    assertThat(Humanize.ago(now.minusSeconds(3 * 86_400), now)).isEqualTo("3 days ago");
    assertThat(Humanize.ago(now.minusSeconds(40L * 86_400), now)).isEqualTo("2025-05-06");
  }

  @Test
  void size_usesTheUnitThatFits() {
    assertThat(Humanize.size(1023)).isEqualTo("1023 B");
    assertThat(Humanize.size(1536)).isEqualTo("1.5 KiB");
    assertThat(Humanize.size(128 << 20)).isEqualTo("128.0 MiB");
    assertThat(Humanize.size(Long.MAX_VALUE)).endsWith("TiB");
  }
}
