/** What a server does by itself now and then: {@link dev.clew.server.upkeep.Chores}. */
@org.jspecify.annotations.NullMarked
package dev.clew.server.upkeep;
