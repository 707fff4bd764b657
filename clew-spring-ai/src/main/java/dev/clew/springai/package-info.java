/**
 * Chat memory of Spring AI in a Clew store: {@link dev.clew.springai.ClewChatMemory}, and {@link
 * dev.clew.springai.ClewChatMemoryRepository} for code that keeps Spring AI's own window. {@link
 * dev.clew.springai.ClewAdvisors} also keeps the calls of tools.
 *
 * <p>Works with Spring AI 1.1 and 2.0, which the application brings.
 */
@NullMarked
package dev.clew.springai;

import org.jspecify.annotations.NullMarked;
