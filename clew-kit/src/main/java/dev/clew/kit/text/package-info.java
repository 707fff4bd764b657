/**
 * Full-text search that is the same on every store: {@link dev.clew.kit.text.Segmenter} cuts text
 * into terms, {@link dev.clew.kit.text.SearchPhrases} is a query over those terms, {@link
 * dev.clew.kit.text.Excerpt} shows where it matched.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.kit.text;
