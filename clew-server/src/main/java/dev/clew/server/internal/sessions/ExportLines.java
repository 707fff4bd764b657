package dev.clew.server.internal.sessions;

import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.kit.BoundedPage;
import dev.clew.kit.Marks;
import dev.clew.transcript.ExportFormat;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.StreamSupport;

/**
 * All sessions of an owner, a line of JSON for each, made in pieces; older branches too, and no
 * temporary ones. Used by one thread at a time.
 */
final class ExportLines implements Iterator<byte[]> {
  private static final int PIECE = 256 << 10;
  private static final int PAGE = 25;

  private final SessionStore store;
  private final Iterator<SessionInfo> sessions;
  private final Iterator<String> others;
  private Iterator<byte[]> large = Collections.emptyIterator();

  /**
   * The lines of an owner.
   *
   * @param others lines of what is no session, which come last
   */
  ExportLines(SessionStore store, String owner, List<String> others) {
    this.store = store;
    this.others = others.iterator();
    // Ordered by creation, so that a session that is continued meanwhile is met once.
    SessionQuery query = SessionQuery.of(owner).order(SessionQuery.Order.CREATED).limit(PAGE);
    this.sessions =
        StreamSupport.stream(query.walk(store::list).spliterator(), false)
            .filter(info -> !Marks.isTemporary(info)) // a file would outlast it
            .iterator();
  }

  @Override
  public boolean hasNext() {
    return large.hasNext() || sessions.hasNext() || others.hasNext();
  }

  @Override
  public byte[] next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    ByteArrayOutputStream piece = new ByteArrayOutputStream();
    while (piece.size() < PIECE && hasNext()) {
      if (large.hasNext()) {
        write(piece, large.next(), !large.hasNext());
        continue;
      }
      if (!sessions.hasNext()) {
        write(piece, others.next().getBytes(StandardCharsets.UTF_8), true);
        continue;
      }
      SessionInfo info = sessions.next();
      if (info.bytes() > BoundedPage.MOST_BYTES) {
        large = new ExportPieces(store, info, ExportFormat.JSON);
      } else {
        var entries = store.session(info.key()).entries(Range.latest(Integer.MAX_VALUE)).entries();
        write(piece, ExportFormat.JSON.write(info, entries).getBytes(StandardCharsets.UTF_8), true);
      }
    }
    return piece.toByteArray();
  }

  /** A document on one line: texts in JSON have no line ends, so all of them are layout. */
  private static void write(ByteArrayOutputStream piece, byte[] document, boolean end) {
    for (byte each : document) {
      if (each != '\n') {
        piece.write(each);
      }
    }
    if (end) {
      piece.write('\n');
    }
  }
}
