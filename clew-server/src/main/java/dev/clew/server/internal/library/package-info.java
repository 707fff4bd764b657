/** What an owner keeps besides sessions: projects and prompts. */
@NullMarked
package dev.clew.server.internal.library;

import org.jspecify.annotations.NullMarked;
