package dev.clew.server.internal.auth;

import dev.clew.json.JsonObject;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.http.Route;
import dev.clew.server.operate.Scope;
import dev.clew.server.settings.ServerSettings;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Tells clients of {@code /mcp} which OpenID provider has tokens for them (RFC 9728). Without a
 * provider there is nothing to tell, and tokens are made by the command line. Immutable.
 */
public final class ResourceMetadata {
  private static final String RESOURCE = "/mcp";
  private static final String PATH = "/.well-known/oauth-protected-resource" + RESOURCE;
  private static final Pattern HOST = Pattern.compile("[\\w.:\\[\\]-]{1,255}");

  private final Optional<String> issuer;
  private final String scheme;

  public ResourceMetadata(ServerSettings settings) {
    issuer = Optional.ofNullable(settings.openId()).map(provider -> provider.issuer());
    scheme = settings.behindHttps() ? "https://" : "http://";
  }

  public Route route() {
    return Route.get(PATH, Scope.OPEN, "Returns where MCP clients get a token.", this::describe)
        .waiting(Route.Waits.NEVER);
  }

  /** Where the metadata of a path is, if there is any. */
  Optional<String> address(String path, @Nullable String host) {
    return issuer
        .filter(any -> path.equals(RESOURCE))
        .flatMap(any -> Optional.ofNullable(host))
        .filter(name -> HOST.matcher(name).matches())
        .map(name -> scheme + name + PATH);
  }

  private void describe(Call call) {
    Optional<String> host = call.header("Host").filter(name -> HOST.matcher(name).matches());
    if (issuer.isEmpty() || host.isEmpty()) {
      throw Problem.notFound(
          "This server has no OpenID provider; create a token with: clew token create");
    }
    call.reply(
        new JsonObject()
            .put("resource", scheme + host.get() + RESOURCE)
            .put("authorization_servers", List.of(issuer.get()))
            .put("scopes_supported", List.of("read", "write"))
            .put("bearer_methods_supported", List.of("header")));
  }
}
