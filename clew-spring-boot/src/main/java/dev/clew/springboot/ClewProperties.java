package dev.clew.springboot;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties that begin with {@code clew}. Immutable.
 *
 * @param url URL of the store, such as sqlite:chat.db. Settings of the store are part of it.
 * @param create Whether a store that does not exist is created.
 */
@ConfigurationProperties("clew")
public record ClewProperties(@Nullable String url, @DefaultValue("true") boolean create) {}
