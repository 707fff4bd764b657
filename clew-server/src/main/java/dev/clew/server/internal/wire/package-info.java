/** Items, pages of items, ids and metadata in the form they have on OpenAI's wire. */
@NullMarked
package dev.clew.server.internal.wire;

import org.jspecify.annotations.NullMarked;
