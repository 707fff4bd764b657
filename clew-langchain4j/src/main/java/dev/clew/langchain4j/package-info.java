/**
 * Chat memory of LangChain4j in a Clew store: {@link dev.clew.langchain4j.ClewChatMemoryProvider}
 * for {@code AiServices}, and {@link dev.clew.langchain4j.ClewChatMemoryStore} for code that keeps
 * LangChain4j's own windows.
 *
 * <p>Works with LangChain4j 1.19 and 1.20, which the application brings.
 */
@NullMarked
package dev.clew.langchain4j;

import org.jspecify.annotations.NullMarked;
