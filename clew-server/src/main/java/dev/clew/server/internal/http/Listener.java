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
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The socket and the handlers before the routes. Thread-safe.
 *
 * <p>A body is read whole before a thread works on it, so slow clients cost bounded memory and no
 * threads, and {@link Connections} cuts them off.
 */
public final class Listener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Listener.class);

  /** In characters, of the headers that a client repeats. */
  private static final int HEADER_CACHE = 64;

  private static final int MAX_HEADER_BYTES = 16 << 10;
  private static final int MAX_THREADS = 200;

  /** Otherwise the system buffers megabytes for a reader that reads nothing. */
  private static final int SEND_BUFFER = 256 << 10;

  /** How much of small messages is written to a WebSocket at once. */
  private static final int SOCKET_WRITE = 32 << 10;

  private static final Duration IDLE = Duration.ofSeconds(30);

  /**
   * Ids may contain any encoded text, such as slashes and two dots. That is safe: routes are
   * matched before decoding, and no path is used as a file name.
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

  public Listener(String host, int port, Dispatcher dispatcher) {
    this.dispatcher = dispatcher;
    this.server = new Server(new Threads());
    server.setDynamic(false); // otherwise Jetty ignores the handlers' NON_BLOCKING type
    this.connector = new Connector(server);
    connector.setHost(host);
    connector.setPort(port);
    connector.setIdleTimeout(IDLE.toMillis());
    connector.setAcceptedSendBufferSize(SEND_BUFFER);
    server.addConnector(connector);
    server.setErrorHandler(new JsonErrors(dispatcher));
    this.connections = new Connections(connector.getScheduler(), dispatcher.budgets());
    connector.addBean(connections);
    ServerWebSocketContainer sockets = ServerWebSocketContainer.ensure(server);
    sockets.setIdleTimeout(Duration.ZERO); // they are watched by the routes that open them
    sockets.setOutputBufferSize(SOCKET_WRITE);
    sockets.setInvocationType(Invocable.InvocationType.NON_BLOCKING);
    server.setHandler(connections.first(new GracefulHandler(dispatcher.handler())));
  }

  private static HttpConfiguration configuration() {
    HttpConfiguration configuration = new HttpConfiguration();
    configuration.setSendServerVersion(false);
    configuration.setSendDateHeader(true);
    configuration.setRequestHeaderSize(MAX_HEADER_BYTES);
    configuration.setUriCompliance(IDS);
    configuration.setHeaderCacheCaseSensitive(true); // tokens differ by case
    configuration.setHeaderCacheSize(HEADER_CACHE); // the usual one takes 97 KiB of each connection
    return configuration;
  }

  /**
   * Listens for a moment.
   *
   * @throws IOException if the address is not available
   */
  public static void check(String host, int port) throws IOException {
    try (ServerSocketChannel socket = ServerSocketChannel.open()) {
      socket.bind(new InetSocketAddress(host, port));
    } catch (IOException | UnresolvedAddressException e) {
      throw new IOException("cannot listen on " + host + ":" + port, e);
    }
  }

  /**
   * Starts listening.
   *
   * @throws IOException if the address is not available
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

  public int port() {
    return connector.getLocalPort();
  }

  /** Ends the streams, lets running calls finish for a while, and stops. */
  public void stop(Duration patience) {
    dispatcher.close();
    server.setStopTimeout(patience.toMillis());
    connections.stop();
    try {
      server.stop();
    } catch (TimeoutException e) {
      LOG.warn("cut off calls that did not end within {}", patience);
    } catch (Exception e) {
      throw new IllegalStateException("the listener did not stop", e);
    }
  }

  @Override
  public void close() {
    stop(Duration.ZERO);
  }

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

  private static final class Threads extends QueuedThreadPool {
    Threads() {
      super(MAX_THREADS);
      setName("clew-http");
    }

    /** Reading the next request does not wait, so the current thread can do it. */
    @Override
    public void execute(Runnable task) {
      if (task instanceof Connection) {
        task.run();
      } else {
        super.execute(task);
      }
    }
  }

  /** Gives errors before the routes the usual JSON form. */
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
