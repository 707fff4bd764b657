/**
 * What the adapters for agent frameworks share. An adapter writes a {@link
 * dev.clew.adapter.MessageCodec} for the messages of its framework and gets {@link
 * dev.clew.adapter.Memories}: memories over any store, which write each message once, whether the
 * framework appends messages or saves whole lists.
 *
 * <p>Uses only {@code dev.clew} and {@code dev.clew.json}; knows no framework.
 */
@NullMarked
package dev.clew.adapter;

import org.jspecify.annotations.NullMarked;
