/** Sessions as files and texts for people: transcripts, exports, documents. */
@org.jspecify.annotations.NullMarked
package dev.clew.transcript;
