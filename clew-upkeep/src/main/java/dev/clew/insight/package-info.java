/** Statistics of sessions, for the page and the command line alike. Not API. */
@org.jspecify.annotations.NullMarked
package dev.clew.insight;
