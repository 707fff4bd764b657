package dev.clew.server.internal.http;

import dev.clew.json.JsonObject;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The socket and the handlers before the routes. Thread-safe.
 *
 * <p>A body is read whole before a thread is given to it, so that clients that send slowly cost
 * memory within bounds and no threads; and not for long, because {@link Connections} cuts them.
 */
public final class Listener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Listener.class);
  private static final int MAX_HEADER_BYTES = 16 << 10;
  private static final int MAX_THREADS = 200;

  /** Or the system would take megabytes for a reader that takes nothing, and call it fast. */
  private static final int SEND_BUFFER = 256 << 10;

  private static final Duration IDLE = Duration.ofSeconds(30);

  /**
   * Ids may be any text, encoded: slashes, percent signs, two dots. That is safe because routes are
   * matched before decoding, and no path is ever the name of a file.
   */
  private static final UriCompliance IDS =
      UriCompliance.RFC3986.with(
          "ids",
          UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR,
          UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING,
          UriCompliance.Violation.AMBIGUOUS_PATH_SEGMENT,
          UriCompliance.Violation.SUSPICIOUS_PATH_CHARACTERS);

  private final Server server;
  private final ServerConnector connector;
  private final Connections connections;
  private final Dispatcher dispatcher;

  /** A listener that is not started yet. */
  public Listener(String host, int port, Dispatcher dispatcher) {
    this.dispatcher = dispatcher;
    this.server = new Server(new Threads());
    server.setDynamic(false); // or it would not believe its handlers that none of them waits
    this.connector = new Connector(server);
    connector.setHost(host);
    connector.setPort(port);
    connector.setIdleTimeout(IDLE.toMillis());
    connector.setAcceptedSendBufferSize(SEND_BUFFER);
    server.addConnector(connector);
    server.setErrorHandler(new JsonErrors(dispatcher));
    this.connections = new Connections(connector.getScheduler(), dispatcher.budgets());
    connector.addBean(connections);
    server.setHandler(connections.first(new GracefulHandler(dispatcher.handler())));
  }

  private static HttpConfiguration configuration() {
    HttpConfiguration configuration = new HttpConfiguration();
    configuration.setSendServerVersion(false);
    configuration.setSendDateHeader(true);
    configuration.setRequestHeaderSize(MAX_HEADER_BYTES);
    configuration.setUriCompliance(IDS);
    configuration.setHeaderCacheCaseSensitive(true); // tokens and keys that differ in case differ
    return configuration;
  }

  /**
   * Listens for a moment.
   *
   * @throws IOException if the address is taken or cannot be had
   */
  public static void check(String host, int port) throws IOException {
    try (ServerSocketChannel socket = ServerSocketChannel.open()) {
      socket.bind(new InetSocketAddress(host, port));
    } catch (IOException | UnresolvedAddressException e) {
      throw new IOException("cannot listen on " + host + ":" + port, e);
    }
  }

  /**
   * Begins to listen.
   *
   * @throws IOException if the address is taken or cannot be had
   */
  public void start() throws IOException {
    try {
      server.start();
      connections.start();
    } catch (Exception e) {
      close();
      throw new IOException(
          "cannot listen on " + connector.getHost() + ":" + connector.getPort(), e);
    }
  }

  /** The port, also when any free one was asked for. */
  public int port() {
    return connector.getLocalPort();
  }

  /** Ends the streams, lets calls in flight finish for a while, and stops. */
  public void stop(Duration patience) {
    dispatcher.close();
    server.setStopTimeout(patience.toMillis());
    connections.stop();
    try {
      server.stop();
    } catch (TimeoutException e) {
      LOG.warn("calls that did not end in {} were cut off", patience);
    } catch (Exception e) {
      throw new IllegalStateException("the listener did not stop", e);
    }
  }

  @Override
  public void close() {
    stop(Duration.ZERO);
  }

  /** Makes connections that know who reads from them. */
  private static final class Connector extends ServerConnector {
    Connector(Server server) {
      super(server, new HttpConnectionFactory(configuration()));
    }

    @Override
    protected SocketChannelEndPoint newEndPoint(
        SocketChannel channel, ManagedSelector selector, SelectionKey key) {
      SocketChannelEndPoint end = new End(channel, selector, key, getScheduler());
      end.setIdleTimeout(getIdleTimeout());
      return end;
    }
  }

  /** Handles what may wait. */
  private static final class Threads extends QueuedThreadPool {
    Threads() {
      super(MAX_THREADS);
      setName("clew-http");
    }

    /** Reading the next request does not wait, so whoever ended the last one may as well do it. */
    @Override
    public void execute(Runnable task) {
      if (task instanceof Connection) {
        task.run();
      } else {
        super.execute(task);
      }
    }
  }

  /** What is refused before the routes has the same envelope as theirs. */
  private static final class JsonErrors extends ErrorHandler {
    private final Dispatcher dispatcher;

    JsonErrors(Dispatcher dispatcher) {
      this.dispatcher = dispatcher;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      int status = response.getStatus();
      dispatcher.refusedUnread(status);
      Problem problem =
          Problem.refused(
              status,
              "bad_request",
              null,
              String.valueOf(request.getAttribute(ErrorHandler.ERROR_MESSAGE)));
      byte[] body =
          new JsonObject()
              .put("error", problem.fields())
              .toString()
              .getBytes(StandardCharsets.UTF_8);
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
      response.write(true, ByteBuffer.wrap(body), callback);
      return true;
    }
  }
}
