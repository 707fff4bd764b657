package dev.clew.server.internal.responses;

import dev.clew.Item;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The newest response of each lane of a socket that was not stored, with its whole context.
 * Thread-safe. They are only in memory, and bounded: without one, the client sends everything
 * again.
 */
final class UnstoredResponses {
  private static final long MOST = 32 << 20;

  /** Of all sockets of this process: a sixteenth of the heap. */
  private static final long MOST_OF_ALL = Math.max(MOST, Runtime.getRuntime().maxMemory() / 16);

  private static final AtomicLong ALL = new AtomicLong();

  private final Map<String, Response> byLane = new LinkedHashMap<>(); // oldest first
  private long size;
  private boolean closed;

  private record Response(String id, List<Item> context, long size) {}

  synchronized Optional<List<Item>> find(String id) {
    return byLane.values().stream()
        .filter(response -> response.id().equals(id))
        .map(Response::context)
        .findFirst();
  }

  /** Remembers the newest response of a lane, and forgets the one before it. */
  synchronized void put(String lane, String id, List<Item> context) {
    forget(lane);
    long bytes = 0;
    for (Item item : context) {
      bytes += 200 + item.json().length(); // an object or two around each
    }
    if (closed || bytes > MOST) {
      return;
    }
    Iterator<String> oldest = List.copyOf(byLane.keySet()).iterator();
    while (size + bytes > MOST && oldest.hasNext()) {
      forget(oldest.next());
    }
    if (ALL.addAndGet(bytes) > MOST_OF_ALL) {
      ALL.addAndGet(-bytes);
      return;
    }
    size += bytes;
    byLane.put(lane, new Response(id, context, bytes));
  }

  /** The newest response of a lane is another one, which can be found in the store. */
  synchronized void forget(String lane) {
    Response response = byLane.remove(lane);
    if (response != null) {
      size -= response.size();
      ALL.addAndGet(-response.size());
    }
  }

  /** A response of a lane could not be followed; nothing happens if it is another lane's. */
  synchronized void evict(String lane, String id) {
    Response response = byLane.get(lane);
    if (response != null && response.id().equals(id)) {
      forget(lane);
    }
  }

  synchronized void close() {
    closed = true;
    List.copyOf(byLane.keySet()).forEach(this::forget);
  }
}
