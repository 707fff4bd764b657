/**
 * OpenAI and everything that speaks its API, over the official client: models for runs ({@link
 * dev.clew.openai.OpenAiModels}), a conversation at the provider as a session ({@link
 * dev.clew.openai.OpenAiConversationsSession}), and compaction by the provider ({@link
 * dev.clew.openai.OpenAiCompactor}). Programs that do not use this package never load the client.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.openai;
