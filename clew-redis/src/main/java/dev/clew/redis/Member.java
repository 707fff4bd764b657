package dev.clew.redis;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Items as elements of a list: {@code position position added crc key length }, then the JSON and
 * the notes. Stateless.
 *
 * <p>The script that adds an item prepends position and time, which only it knows. The checksum
 * covers JSON and notes; the position is repeated instead.
 */
final class Member {
  private static final int FIELDS = 6;
  private static final byte[] SPACE = {' '};

  private Member() {}

  /** The arguments of a script that adds items. */
  record Batch(List<byte[]> payloads, long bytes, boolean keyed, String times) {
    /** The items of a commit, for a first position. */
    static Batch of(Commit commit, long first) {
      Batch batch = of(commit.placed(first));
      return commit.hasTimes()
          ? new Batch(batch.payloads, batch.bytes, batch.keyed, times(commit.givenTimes()))
          : batch;
    }

    /** The times for {@code timesOf} in the scripts. */
    static String times(List<Optional<Instant>> given) {
      StringBuilder text = new StringBuilder();
      for (Optional<Instant> time : given) {
        text.append(time.map(at -> Long.toString(at.toEpochMilli())).orElse("-")).append(' ');
      }
      return text.toString();
    }

    static Batch of(List<Draft> drafts) {
      byte[][] payloads = new byte[drafts.size()][];
      long bytes = 0;
      boolean keyed = false;
      for (int i = 0; i < payloads.length; i++) {
        Draft draft = drafts.get(i);
        byte[] json = draft.item().json().getBytes(StandardCharsets.UTF_8);
        Optional<String> id = draft.item().id();
        payloads[i] = payload(json, id, draft.notes());
        bytes += json.length;
        keyed |= id.isPresent();
      }
      return new Batch(List.of(payloads), bytes, keyed, "");
    }
  }

  private static byte[] payload(byte[] json, Optional<String> id, Map<String, Object> notes) {
    byte[] beside =
        notes.isEmpty() ? new byte[0] : Json.write(notes).getBytes(StandardCharsets.UTF_8);
    CRC32C crc = new CRC32C();
    crc.update(json, 0, json.length);
    crc.update(beside, 0, beside.length);
    byte[] head =
        (Long.toHexString(crc.getValue())
                + " "
                + (id.isPresent() ? Keys.item(id.get()) : "-")
                + " "
                + json.length
                + " ")
            .getBytes(StandardCharsets.US_ASCII);
    return join(head, json, beside);
  }

  /** The member of a payload with its position and time. */
  static byte[] at(long position, byte[] time, byte[] payload) {
    byte[] place = Wire.bytes(position);
    return join(place, SPACE, place, SPACE, time, SPACE, payload);
  }

  private static byte[] join(byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) {
      length += part.length;
    }
    byte[] whole = new byte[length];
    int end = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, whole, end, part.length);
      end += part.length;
    }
    return whole;
  }

  /** The item in a member of some length, or null if the member is damaged. */
  static @Nullable Item item(byte[] member, int bytes) {
    int[] ends = new int[FIELDS];
    int length = check(member, bytes, ends);
    return length < 0 ? null : item(member, ends, length);
  }

  private static Item item(byte[] member, int[] ends, int length) {
    return Item.trusted(new String(member, ends[FIELDS - 1] + 1, length, StandardCharsets.UTF_8));
  }

  /** The entry in a member, or empty if the member is damaged. */
  static Optional<Entry> entry(byte[] member, boolean compacted) {
    int[] ends = new int[FIELDS];
    int length = check(member, member.length, ends);
    if (length < 0) {
      return Optional.empty();
    }
    int notes = ends[FIELDS - 1] + 1 + length;
    Map<String, Object> beside =
        notes == member.length
            ? Map.of()
            : Json.readObject(
                new String(member, notes, member.length - notes, StandardCharsets.UTF_8));
    try {
      return Optional.of(
          new Entry(
              number(member, 0, ends[0]),
              item(member, ends, length),
              Instant.ofEpochMilli(number(member, ends[1] + 1, ends[2])),
              beside,
              compacted));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** An item with its time, for {@code fork.lua}. */
  static byte[] since(Instant added, Draft draft) {
    byte[] payload = Batch.of(List.of(draft)).payloads().get(0);
    return join(Wire.bytes(added.toEpochMilli()), SPACE, payload);
  }

  /** An undamaged member without its position, for {@code fork.lua}. */
  static byte[] withoutPosition(byte[] member) {
    int[] ends = new int[FIELDS];
    check(member, member.length, ends);
    return Arrays.copyOfRange(member, ends[1] + 1, member.length);
  }

  /** The position of a member, damaged or not; empty if it is unreadable too. */
  static OptionalLong position(byte[] member) {
    String[] fields = ascii(member, 0, Math.min(member.length, 64)).split(" ", 3);
    try {
      return fields.length == 3 && fields[0].equals(fields[1])
          ? OptionalLong.of(Long.parseLong(fields[0]))
          : OptionalLong.empty();
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  /**
   * Finds the ends of the fields; returns the length of the JSON, or -1 if the member is damaged.
   */
  private static int check(byte[] member, int bytes, int[] ends) {
    int field = 0;
    for (int i = 0; i < bytes && field < FIELDS; i++) {
      if (member[i] == ' ') {
        ends[field++] = i;
      } else if (field < 3 && member[i] != '-' && (member[i] < '0' || member[i] > '9')) {
        return -1; // neither a position nor a time
      }
    }
    if (field < FIELDS) {
      return -1;
    }
    int start = ends[FIELDS - 1] + 1;
    long length = digits(member, ends[4] + 1, ends[5], 10);
    CRC32C crc = new CRC32C();
    crc.update(member, start, bytes - start);
    boolean sound =
        crc.getValue() == digits(member, ends[2] + 1, ends[3], 16)
            && Arrays.equals(member, 0, ends[0], member, ends[0] + 1, ends[1])
            && length >= 0
            && length <= bytes - start;
    return sound ? (int) length : -1;
  }

  /**
   * A number of up to ten digits, or -1. Every item that is read has two, so no string is created.
   */
  private static long digits(byte[] member, int from, int to, int radix) {
    if (from == to || to - from > 10) {
      return -1;
    }
    long value = 0;
    for (int i = from; i < to; i++) {
      int digit = Character.digit(member[i], radix);
      if (digit < 0) {
        return -1;
      }
      value = value * radix + digit;
    }
    return value;
  }

  private static long number(byte[] member, int from, int to) {
    return Long.parseLong(ascii(member, from, to));
  }

  private static String ascii(byte[] member, int from, int to) {
    return new String(member, from, to - from, StandardCharsets.US_ASCII);
  }
}
