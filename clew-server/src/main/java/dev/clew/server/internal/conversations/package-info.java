/** OpenAI's Conversations API. */
@NullMarked
package dev.clew.server.internal.conversations;

import org.jspecify.annotations.NullMarked;
