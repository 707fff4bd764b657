package dev.clew.server.internal.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import dev.clew.SessionKey;
import dev.clew.memory.MemoryStore;
import dev.clew.server.Caller;
import dev.clew.server.LiveServer;
import dev.clew.server.settings.OpenIdSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tokens of an OpenID provider, whose keys come from a real HTTP server. */
class OpenIdTest {
  private static final String ISSUER = "https://id.example.org/realms/one";
  private static final String AUDIENCE = "clew";
  private static RSAKey first;
  private static RSAKey second;

  private final MemoryStore store = MemoryStore.builder().build();
  private final AtomicInteger fetches = new AtomicInteger();
  private volatile String keys = "";
  private volatile int status = 200;
  private HttpServer provider;
  private LiveServer live;

  @BeforeAll
  static void makeKeys() throws Exception {
    first = new RSAKeyGenerator(2048).keyID("one").generate();
    second = new RSAKeyGenerator(2048).keyID("two").generate();
  }

  @BeforeEach
  void start() throws Exception {
    provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    provider.createContext(
        "/",
        exchange -> {
          fetches.incrementAndGet();
          byte[] body = keys.getBytes(StandardCharsets.UTF_8);
          if (exchange.getRequestURI().getPath().equals("/moved")) {
            exchange.getResponseHeaders().add("Location", "/keys");
            exchange.sendResponseHeaders(302, -1);
          } else {
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
          }
          exchange.close();
        });
    provider.start();
    publish(first);
    live = serve("/keys", UnaryOperator.identity());
  }

  @AfterEach
  void stop() {
    live.close();
    provider.stop(0);
    store.close();
  }

  private LiveServer serve(String path, UnaryOperator<OpenIdSettings> more) {
    URI uri = URI.create("http://127.0.0.1:" + provider.getAddress().getPort() + path);
    return new LiveServer(
        store, settings -> settings.openId(more.apply(OpenIdSettings.of(ISSUER, AUDIENCE, uri))));
  }

  private void publish(RSAKey... shown) {
    keys = new JWKSet(List.of(shown)).toString(); // without the private parts
  }

  private static JWTClaimsSet.Builder claims() {
    return new JWTClaimsSet.Builder()
        .issuer(ISSUER)
        .audience(AUDIENCE)
        .subject("ann")
        .issueTime(in(0))
        .expirationTime(in(300));
  }

  private static Date in(long seconds) {
    return Date.from(Instant.now().plusSeconds(seconds));
  }

  private static String signed(JWTClaimsSet.Builder claims, RSAKey key) throws Exception {
    return signed(
        claims,
        new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID()).build(),
        new RSASSASigner(key));
  }

  private static String signed(JWTClaimsSet.Builder claims, JWSHeader header, JWSSigner signer)
      throws Exception {
    SignedJWT token = new SignedJWT(header, claims.build());
    token.sign(signer);
    return token.serialize();
  }

  private HttpResponse<String> send(String method, String path, String body, String token) {
    return live.send(method, path, body, "Authorization", "Bearer " + token);
  }

  private int get(String token) {
    return send("GET", "/api/sessions", "", token).statusCode();
  }

  private void refused(String token) {
    HttpResponse<String> answer = send("GET", "/api/sessions", "", token);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(401);
    assertThat(answer.body()).contains("\"code\":\"invalid_api_key\"");
  }

  @Test
  void aGoodTokenOpensTheSessionsOfItsSubject_andOurTokensStillWork() throws Exception {
    String token = signed(claims(), first);
    HttpResponse<String> said =
        send("POST", "/api/chat", "{\"message\":\"hello\",\"session_id\":\"trip\"}", token);
    assertThat(said.statusCode()).as(said.body()).isEqualTo(200);
    assertThat(store.session(new SessionKey("ann", "trip")).info()).isPresent();
    new Caller(live, "ann").get("/api/sessions/trip").is(200);
    new Caller(live, "bob").get("/api/sessions/trip").is(404);
    assertThat(get(token)).isEqualTo(200);
    assertThat(fetches).as("the keys are kept").hasValue(1);
    assertThat(send("GET", "/metrics", "", token).statusCode()).as("no admin").isEqualTo(403);
  }

  @Test
  void aTokenWithoutASignatureIsRefused() {
    refused(new PlainJWT(claims().build()).serialize());
    refused("a.b.c");
    refused("");
    refused("x".repeat(8_000));
  }

  @Test
  void aTokenSignedWithThePublicKeyAsSecretIsRefused() throws Exception {
    byte[][] secrets = {
      first.toRSAPublicKey().getEncoded(),
      first.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8)
    };
    for (byte[] secret : secrets) {
      JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("one").build();
      refused(signed(claims(), header, new MACSigner(secret)));
    }
  }

  @Test
  void aTokenOfAnotherIssuerOrForSomebodyElseIsRefused() throws Exception {
    refused(signed(claims().issuer("https://id.example.org/realms/two"), first));
    refused(signed(claims().issuer(null), first));
    refused(signed(claims().audience("other"), first));
    refused(signed(claims().audience((String) null), first));
  }

  @Test
  void aTokenCountsInItsTimeOnly() throws Exception {
    refused(signed(claims().expirationTime(in(-120)), first));
    refused(signed(claims().expirationTime(null), first));
    refused(signed(claims().notBeforeTime(in(120)), first));
    assertThat(get(signed(claims().notBeforeTime(in(30)), first)))
        .as("clocks differ")
        .isEqualTo(200);
  }

  @Test
  void aTokenThatWasChangedOrSignedByAnotherKeyIsRefused() throws Exception {
    String good = signed(claims(), first);
    String[] parts = good.split("\\.", -1);
    String other = signed(claims().subject("bob"), first).split("\\.", -1)[1];
    refused(parts[0] + "." + other + "." + parts[2]);
    RSAKey impostor = new RSAKeyGenerator(2048).keyID("one").generate();
    refused(signed(claims(), impostor));
  }

  @Test
  void keysThatTheProviderChangedAreFetched_butNotForEveryTokenThatNamesAnUnknownOne()
      throws Exception {
    assertThat(get(signed(claims(), first))).isEqualTo(200);
    publish(second);
    assertThat(get(signed(claims(), second))).as("rotated").isEqualTo(200);
    refused(signed(claims(), first)); // withdrawn
    RSAKey unknown = new RSAKeyGenerator(2048).keyID("three").generate();
    for (int i = 0; i < 20; i++) {
      refused(signed(claims(), unknown));
    }
    assertThat(fetches.get()).isLessThanOrEqualTo(4);
    assertThat(get(signed(claims(), second))).isEqualTo(200);
  }

  @Test
  void whileTheProviderIsDownItsTokensCannotBeChecked_andThatIsSaid() throws Exception {
    status = 500;
    HttpResponse<String> answer = send("GET", "/api/sessions", "", signed(claims(), first));
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("identity_provider_unavailable").doesNotContain("127.0.0.1");
    assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    new Caller(live, "ann").get("/api/sessions").is(200);
  }

  @Test
  void keysThatAreKnownCountWhileTheProviderIsDown() throws Exception {
    assertThat(get(signed(claims(), first))).isEqualTo(200);
    provider.stop(0);
    assertThat(get(signed(claims(), first))).isEqualTo(200);
  }

  @Test
  void whereTheProviderPointsElsewhereNobodyGoes() throws Exception {
    try (LiveServer moved = serve("/moved", UnaryOperator.identity())) {
      HttpResponse<String> answer =
          moved.send(
              "GET", "/api/sessions", "", "Authorization", "Bearer " + signed(claims(), first));
      assertThat(answer.statusCode()).isEqualTo(503);
    }
  }

  @Test
  void nobodyIsLetInAsTheDefaultOwnerOrTheServer() throws Exception {
    for (String name : new String[] {"", "@clew", "@x", "a\nb", "x".repeat(600)}) {
      refused(signed(claims().subject(name), first));
    }
    refused(signed(claims().subject(null), first));
  }

  @Test
  void otherClaimsCanNameOwnerAndScopes() throws Exception {
    live.close();
    live = serve("/keys", settings -> settings.ownerClaim("email").scopesClaim("scope"));
    String reader =
        signed(claims().claim("email", "ann@x.org").claim("scope", "openid clew:read"), first);
    assertThat(get(reader)).isEqualTo(200);
    assertThat(send("POST", "/v1/conversations", "{}", reader).statusCode()).isEqualTo(403);
    String admin =
        signed(claims().claim("email", "root").claim("scope", List.of("admin", "profile")), first);
    assertThat(send("GET", "/metrics", "", admin).statusCode()).isEqualTo(200);
    assertThat(get(admin)).isEqualTo(403);
    assertThat(get(signed(claims().claim("email", "ann@x.org"), first))).isEqualTo(403);
    refused(signed(claims().claim("email", 7), first));
  }
}
