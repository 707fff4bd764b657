/** The settings of a server: {@link dev.clew.server.settings.ServerSettings} and its parts. */
@NullMarked
package dev.clew.server.settings;

import org.jspecify.annotations.NullMarked;
