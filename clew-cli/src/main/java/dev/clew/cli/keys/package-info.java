/** {@code clew key}: the keys of encrypted stores. */
@org.jspecify.annotations.NullMarked
package dev.clew.cli.keys;
