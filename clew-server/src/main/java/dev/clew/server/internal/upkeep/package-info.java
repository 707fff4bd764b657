/**
 * What a server does by itself from time to time: backups, retention, and checking that its store
 * works.
 */
@NullMarked
package dev.clew.server.internal.upkeep;

import org.jspecify.annotations.NullMarked;
