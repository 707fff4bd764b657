package dev.clew.server.internal.http;

import java.io.IOException;
import java.io.InputStream;
import org.eclipse.jetty.io.Content;

/**
 * A body that its handler reads as it arrives. Used by one thread, which waits for the client as
 * long as that is not too slow; while nobody reads, the client waits.
 */
final class BodyStream extends InputStream {
  private final Transfer transfer;
  private final InputStream in;
  private final PassWatch watch;

  BodyStream(Transfer transfer, PassWatch watch) {
    this.transfer = transfer;
    this.watch = watch;
    this.in = Content.Source.asInputStream(transfer.request());
    transfer.answer().leaveUnread(); // as long as there is more
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    int count = read(one, 0, 1);
    return count < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    Pace pace = Pace.of(transfer.request());
    pace.readingOn(System.nanoTime());
    int count = in.read(to, offset, length);
    watch.check(); // after it, because it may have waited for long
    if (count < 0) {
      transfer.answer().wasRead();
      pace.received(System.nanoTime());
    } else {
      pace.waits(System.nanoTime());
    }
    return count;
  }
}
