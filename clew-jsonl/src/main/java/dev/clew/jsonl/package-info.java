/**
 * The JSONL store: a folder of files that people can read, one for each session, appended to and
 * never edited in place. Uses {@code dev.clew} and its internals only.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.jsonl;
