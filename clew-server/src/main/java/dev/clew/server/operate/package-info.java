/**
 * What a server keeps in its store, for programs that work on the store without a server: tokens,
 * the audit log and the documents of a session.
 */
@NullMarked
package dev.clew.server.operate;

import org.jspecify.annotations.NullMarked;
