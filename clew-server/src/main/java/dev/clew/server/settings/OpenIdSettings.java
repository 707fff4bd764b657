package dev.clew.server.settings;

import java.net.URI;
import java.util.Optional;

/**
 * A provider of OpenID Connect whose tokens are taken. Immutable.
 *
 * @param issuer who must have signed, exactly as the tokens say it
 * @param audience whom they must be for
 * @param keys where the provider's public keys are: its JWKS URL
 * @param ownerClaim which claim names the owner
 * @param scopesClaim which claim holds the words {@code read}, {@code write} and {@code admin}; if
 *     none does, everybody may read and write what is their own
 */
public record OpenIdSettings(
    String issuer, String audience, URI keys, String ownerClaim, Optional<String> scopesClaim) {

  /** Checks the address. */
  public OpenIdSettings {
    if (!keys.isAbsolute() || !keys.getScheme().matches("https?")) {
      throw new IllegalArgumentException(
          "the keys of the OpenID provider are at '" + keys + "'; write an http or https address");
    }
  }

  /** The owner is the subject, who may read and write. */
  public static OpenIdSettings of(String issuer, String audience, URI keys) {
    return new OpenIdSettings(issuer, audience, keys, "sub", Optional.empty());
  }

  /** With another claim for the owner. */
  public OpenIdSettings ownerClaim(String value) {
    return new OpenIdSettings(issuer, audience, keys, value, scopesClaim);
  }

  /** With a claim for the scopes. */
  public OpenIdSettings scopesClaim(String value) {
    return new OpenIdSettings(issuer, audience, keys, ownerClaim, Optional.of(value));
  }
}
