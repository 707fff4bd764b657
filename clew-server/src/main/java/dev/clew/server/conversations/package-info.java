/** OpenAI's Conversations API, and the form items have on OpenAI's wire. */
@NullMarked
package dev.clew.server.conversations;

import org.jspecify.annotations.NullMarked;
