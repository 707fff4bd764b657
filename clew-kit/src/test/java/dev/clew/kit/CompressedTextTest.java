package dev.clew.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class CompressedTextTest {
  private static final String LONG =
      "A **stream** is an abstract interface for working with data as it arrives. Streams can be"
          + " readable, writable, or both, and every one of them tells you when something failed."
          + " 您好，今天下午的会议安排好了。 ";

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aPackedTextComesBackByteForByte_andIsMuchSmaller() {
    for (Item item :
        List.of(
            Item.user("What is the weather like in Berlin today?"),
            Item.assistant(LONG),
            Item.functionCall("call_1", "search", "{\"query\":\"streams\"}"),
            Item.functionCallOutput("call_1", LONG.repeat(5_000)))) {
      byte[] text = utf8(item.json());
      byte[] packed = CompressedText.pack(text);

      assertThat(packed).isNotNull().hasSizeLessThan(text.length * 3 / 4);
      assertThat(CompressedText.isPacked(packed)).isTrue();
      assertThat(CompressedText.isPacked(text)).isFalse();
      assertThat(CompressedText.unpack(packed)).isEqualTo(text);
    }
  }

  @Test
  void whatDoesNotGetSmallerIsLeftAlone() {
    byte[] noise = new byte[500];
    new Random(1).nextBytes(noise);
    assertThat(CompressedText.pack(noise)).isNull();
    assertThat(CompressedText.pack(utf8("{}"))).isNull();
    assertThat(CompressedText.pack(new byte[0])).isNull();
  }

  /** A row that was packed by an earlier version must be readable for ever. */
  @Test
  void theDictionaryIsWhatItWasWhenTheFirstRowWasPacked() throws Exception {
    CRC32C crc = new CRC32C();
    crc.update(CompressedText.class.getResourceAsStream("packed-text-1.txt").readAllBytes());
    assertThat(crc.getValue()).isEqualTo(1_428_452_416L);
  }

  @Test
  void damageIsNoticedOrDoesNotMatter_andNeverThrows() {
    byte[] text = utf8(Item.assistant(LONG).json());
    byte[] packed = CompressedText.pack(text);
    long crc = StoredText.crc(text);
    for (int i = 0; i < packed.length; i++) {
      byte[] damaged = packed.clone();
      damaged[i] ^= 0x15;
      byte[] read = CompressedText.unpack(damaged);
      assertThat(read == null || StoredText.crc(read) != crc || Arrays.equals(read, text)).isTrue();
      assertThat(CompressedText.unpack(Arrays.copyOf(packed, i))).isIn(null, text);
    }
    assertThat(CompressedText.unpack(utf8("999999999\u00ff"))).isNull();
    assertThat(CompressedText.unpack(utf8("1234567890123"))).isNull();
    assertThat(CompressedText.unpack(utf8("17"))).isNull();
  }

  @Test
  void whatIsLeftOfAPackedTextCanBeLookedAt() {
    byte[] text = utf8(Item.assistant(LONG).json());
    byte[] packed = CompressedText.pack(text);
    byte[] around = new byte[packed.length + 50];
    System.arraycopy(packed, 0, around, 20, packed.length);
    int mark = 20;
    while (!CompressedText.isMark(around, mark)) {
      mark++;
    }
    assertThat(mark).isEqualTo(23);
    byte[] read = new byte[1000];
    int length = CompressedText.read(around, mark + 1, around.length, read);
    assertThat(Arrays.copyOf(read, length)).isEqualTo(text);
    int half = CompressedText.read(around, mark + 1, 20 + packed.length / 2, read);
    assertThat(half).isBetween(50, text.length - 1);
    assertThat(Arrays.copyOf(read, half)).isEqualTo(Arrays.copyOf(text, half));
  }
}
