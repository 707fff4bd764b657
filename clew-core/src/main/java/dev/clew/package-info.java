/**
 * What a user of Clew types: {@link dev.clew.Session}, {@link dev.clew.SessionStore}, {@link
 * dev.clew.Item} with its views, windows and errors. Everything else in the project builds on this
 * package.
 */
@org.jspecify.annotations.NullMarked
package dev.clew;
