package dev.clew.redis;

import dev.clew.Item;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The start of a session's list: its head and the newest items. Immutable.
 *
 * @param head null if there is no list, or if the head is damaged
 * @param items oldest first; null if one of them or the head is damaged
 */
record Newest(@Nullable Head head, @Nullable List<Item> items) {

  /**
   * Creates the items on the thread of the driver that receives them, while their bytes are in the
   * cache of its core. Used by one thread.
   */
  static final class Output extends CommandOutput<byte[], byte[], Newest> {
    private static final int USUAL_BYTES = 1024;

    private byte[] member = new byte[USUAL_BYTES];
    private @Nullable Head head;
    private Item[] items = {};
    private int missing;
    private boolean damaged;

    Output() {
      super(ByteArrayCodec.INSTANCE, new Newest(null, null));
    }

    @Override
    public void multi(int count) {
      items = new Item[Math.max(0, count - 1)];
      missing = count;
    }

    @Override
    public void set(ByteBuffer bytes) {
      int length = bytes.remaining();
      if (member.length < length) {
        member = new byte[Math.max(length, 2 * member.length)];
      }
      bytes.get(member, 0, length);
      if (--missing == items.length) {
        head = Head.ofMember(member, length);
        damaged = head == null;
        return;
      }
      Item item = Member.item(member, length);
      if (item == null || missing < 0) {
        damaged = true;
      } else {
        items[missing] = item;
      }
    }

    @Override
    public Newest get() {
      return new Newest(head, damaged || missing != 0 ? null : List.of(items));
    }
  }
}
