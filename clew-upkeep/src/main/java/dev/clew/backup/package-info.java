/**
 * Backups of stores as files: {@link dev.clew.backup.Backup} writes them, {@link
 * dev.clew.backup.BackupStore} reads one as if it were a store, so that {@link
 * dev.clew.migrate.Migration} restores it into any other, and {@link dev.clew.backup.BackupFolder}
 * keeps a chain of them. Works on any store through {@code dev.clew} only; docs/backup.md has the
 * format.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.backup;
