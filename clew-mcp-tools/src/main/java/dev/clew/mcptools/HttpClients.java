package dev.clew.mcptools;

import java.net.UnknownHostException;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.http.HttpCookieStore;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * The HTTP clients of all servers, with and without private networks. Thread-safe. They follow no
 * redirects, keep no cookies, answer no challenges, and connect to the very addresses that were
 * checked. They are started when they are first needed, and have only daemon threads.
 */
final class HttpClients {
  private static final int THREADS = 64;
  private static final int CONNECTIONS = 64;
  private static final int HEADERS = 16 << 10;

  private HttpClients() {}

  private static final class Any {
    static final HttpClient CLIENT = start(false);
  }

  private static final class Public {
    static final HttpClient CLIENT = start(true);
  }

  static HttpClient client(boolean publicOnly) {
    return publicOnly ? Public.CLIENT : Any.CLIENT;
  }

  private static HttpClient start(boolean publicOnly) {
    HttpClient client = new HttpClient();
    QueuedThreadPool threads = new QueuedThreadPool(THREADS, 1);
    threads.setName("clew-mcp-http");
    threads.setDaemon(true);
    client.setExecutor(threads);
    client.setFollowRedirects(false);
    client.setHttpCookieStore(new HttpCookieStore.Empty());
    client.setUserAgentField(null);
    client.setConnectTimeout(Bounds.CONNECT.toMillis());
    client.setMaxConnectionsPerDestination(CONNECTIONS);
    client.setMaxResponseHeadersSize(HEADERS);
    client.setSocketAddressResolver(
        (host, port, context, promise) ->
            threads.execute(
                () -> {
                  try {
                    promise.succeeded(Addresses.of(host, port, publicOnly));
                  } catch (UnknownHostException | RuntimeException e) {
                    promise.failed(e);
                  }
                }));
    try {
      client.start();
    } catch (Exception e) {
      throw new IllegalStateException("the HTTP client cannot be started", e);
    }
    client.getProtocolHandlers().clear();
    client.getContentDecoderFactories().clear();
    return client;
  }
}
