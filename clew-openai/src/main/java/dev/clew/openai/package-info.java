/**
 * OpenAI and everything that speaks its API, over the official client. Programs that do not use
 * this package never load the client.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.openai;
