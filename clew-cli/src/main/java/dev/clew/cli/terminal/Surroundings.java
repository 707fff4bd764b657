package dev.clew.cli.terminal;

import dev.clew.Opening;
import dev.clew.SessionStore;
import java.io.InputStream;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * What a command gets from the process it runs in. Immutable; the streams in it are not
 * thread-safe.
 *
 * @param in standard input
 * @param out standard output
 * @param err standard error
 * @param env the environment variables
 * @param terminal the person in front of it
 * @param stores opens a store by its URL
 */
public record Surroundings(
    InputStream in,
    Output out,
    Output err,
    Map<String, String> env,
    Terminal terminal,
    BiFunction<String, Opening, SessionStore> stores) {}
