/** Commands that move whole histories: export, import, migrate, backup and restore. */
@org.jspecify.annotations.NullMarked
package dev.clew.cli.transfer;
