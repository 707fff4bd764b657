package dev.clew.server.internal.admin;

import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.json.JsonObject;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.http.Route;
import dev.clew.server.operate.Scope;
import dev.clew.server.operate.Tokens;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Tokens, managed by administrators. Thread-safe. A token gives access to everything of its owner,
 * so none is created here for another owner who has data: administering a server does not include
 * reading conversations. Whoever can run commands on the store can do that anyway.
 */
public record TokensApi(SessionStore store, Tokens tokens, boolean strict) {
  private static final int MOST_BYTES = 64 << 10;
  private static final int LONGEST_NAME = 200;
  private static final long LONGEST_LIFE = Duration.ofDays(3650).toSeconds();
  private static final Set<String> FIELDS = Set.of("owner", "name", "scopes", "ttl_seconds");
  private static final List<Scope> SCOPES =
      List.of(Scope.READ, Scope.WRITE, Scope.ADMIN, Scope.METRICS);

  public List<Route> routes() {
    return List.of(
        Route.get("/api/admin/tokens", Scope.ADMIN, "Lists all tokens.", this::list),
        Route.post("/api/admin/tokens", Scope.ADMIN, "Creates a token.", this::create)
            .taking(MOST_BYTES),
        Route.delete(
            "/api/admin/tokens/{token_id}", Scope.ADMIN, "Revokes a token at once.", this::revoke));
  }

  private void list(Call call) {
    call.reply(
        new JsonObject()
            .putAll("data", tokens.list().stream().map(token -> token.json("token_id")).toList()));
  }

  private void create(Call call) {
    Fields body = Fields.of(call, strict, FIELDS);
    String owner = body.text("owner").orElse(SessionKey.DEFAULT_OWNER);
    String name = body.text("name").orElse("");
    if (name.length() > LONGEST_NAME) {
      throw Problem.invalidValue("name", "at most " + LONGEST_NAME + " characters");
    }
    Set<Scope> scopes = scopes(body);
    Optional<Duration> life = life(body);
    refuseToOpen(call, owner);
    Tokens.Created made = tokens.create(call.principal().name(), owner, name, scopes, life);
    call.reply(
        new JsonObject().put("secret", made.secret()).put("token", made.token().json("token_id")));
  }

  private void refuseToOpen(Call call, String owner) {
    try {
      SessionKey.checkOwner(owner);
    } catch (IllegalArgumentException e) {
      throw Problem.invalidValue("owner", e.getMessage());
    }
    if (owner.startsWith("@")) {
      throw Problem.invalidValue("owner", "names that start with '@' are reserved");
    }
    if (!owner.equals(call.owner()) && hasAnything(owner)) {
      throw Problem.forbidden(
          "owner_has_conversations",
          "This owner has conversations or other data, which a token would give access to."
              + " Create one where the store is, with: clew token create --owner …");
    }
  }

  /** Tools may have stored documents for an owner without a conversation. */
  private boolean hasAnything(String owner) {
    return !store.list(SessionQuery.of(owner).limit(1)).sessions().isEmpty()
        || !store.documents().list(owner, "", Optional.empty(), 1).isEmpty();
  }

  private static Set<Scope> scopes(Fields body) {
    if (!body.has("scopes")) {
      return Scope.OWN;
    }
    EnumSet<Scope> scopes = EnumSet.noneOf(Scope.class);
    for (String word : body.texts("scopes")) {
      scopes.add(
          SCOPES.stream()
              .filter(scope -> scope.word().equals(word))
              .findFirst()
              .orElseThrow(TokensApi::unknownScope));
    }
    if (scopes.isEmpty()) {
      throw unknownScope();
    }
    return scopes;
  }

  private static Problem unknownScope() {
    return Problem.invalidValue(
        "scopes", "supported values are 'read', 'write', 'admin' and 'metrics'");
  }

  private static Optional<Duration> life(Fields body) {
    OptionalLong seconds = body.number("ttl_seconds");
    if (seconds.isPresent() && (seconds.getAsLong() < 1 || seconds.getAsLong() > LONGEST_LIFE)) {
      throw Problem.invalidValue("ttl_seconds", "1 to " + LONGEST_LIFE);
    }
    return seconds.isPresent()
        ? Optional.of(Duration.ofSeconds(seconds.getAsLong()))
        : Optional.empty();
  }

  private void revoke(Call call) {
    String id = call.path("token_id");
    if (!tokens.revoke(call.principal().name(), id)) {
      throw Problem.notFound("There is no such token; GET /api/admin/tokens lists them.");
    }
    call.reply(new JsonObject().put("token_id", id).put("revoked", true));
  }
}
