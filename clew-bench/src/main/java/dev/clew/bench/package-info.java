/**
 * Measures Clew beside the least that could do the same work: plain JDBC and a plain file. {@link
 * dev.clew.bench.Main} is {@code make bench}; {@link dev.clew.bench.Contender} takes part in a
 * comparison with other libraries. Nothing uses this package, and nothing here is asserted in a
 * test.
 */
@NullMarked
package dev.clew.bench;

import org.jspecify.annotations.NullMarked;
