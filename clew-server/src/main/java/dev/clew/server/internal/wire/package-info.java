/** Items, pages, ids and metadata in OpenAI's format. */
@NullMarked
package dev.clew.server.internal.wire;

import org.jspecify.annotations.NullMarked;
