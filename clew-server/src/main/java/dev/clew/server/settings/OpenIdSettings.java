package dev.clew.server.settings;

import java.net.URI;
import java.util.Optional;

/**
 * An OpenID Connect provider whose tokens the server accepts. Immutable.
 *
 * @param issuer the issuer, exactly as in the tokens
 * @param audience the audience that tokens must have
 * @param keys the provider's JWKS URL
 * @param ownerClaim the claim that names the owner
 * @param scopesClaim the claim with the words {@code read}, {@code write} and {@code admin};
 *     without it every user may read and write their own sessions
 */
public record OpenIdSettings(
    String issuer, String audience, URI keys, String ownerClaim, Optional<String> scopesClaim) {

  public OpenIdSettings {
    if (!keys.isAbsolute() || !keys.getScheme().matches("https?")) {
      throw new IllegalArgumentException(
          "the keys of the OpenID provider are at '" + keys + "'; use an http or https address");
    }
  }

  /** With the subject as owner, who may read and write. */
  public static OpenIdSettings of(String issuer, String audience, URI keys) {
    return new OpenIdSettings(issuer, audience, keys, "sub", Optional.empty());
  }

  public OpenIdSettings ownerClaim(String value) {
    return new OpenIdSettings(issuer, audience, keys, value, scopesClaim);
  }

  public OpenIdSettings scopesClaim(String value) {
    return new OpenIdSettings(issuer, audience, keys, ownerClaim, Optional.of(value));
  }
}
