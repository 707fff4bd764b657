package dev.clew.server.internal.sessions;

import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.kit.BoundedPage;
import dev.clew.transcript.ExportFormat;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * All sessions of an owner, a line of JSON for each, made in pieces; older branches too. Used by
 * one thread at a time.
 */
final class ExportLines implements Iterator<byte[]> {
  private static final int PIECE = 256 << 10;
  private static final int PAGE = 25;

  private final SessionStore store;
  private final Iterator<SessionInfo> sessions;
  private Iterator<byte[]> large = Collections.emptyIterator();

  ExportLines(SessionStore store, String owner) {
    this.store = store;
    // Ordered by creation, so that a session that is continued meanwhile is met once.
    SessionQuery query = SessionQuery.of(owner).order(SessionQuery.Order.CREATED).limit(PAGE);
    this.sessions = query.walk(store::list).iterator();
  }

  @Override
  public boolean hasNext() {
    return large.hasNext() || sessions.hasNext();
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
