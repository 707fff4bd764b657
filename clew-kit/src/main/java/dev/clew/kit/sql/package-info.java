/** What the stores in SQL databases share; it needs no driver. */
@org.jspecify.annotations.NullMarked
package dev.clew.kit.sql;
