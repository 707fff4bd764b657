/**
 * How long sessions are kept: {@link dev.clew.retention.Retention} removes or compresses what
 * policies say, {@link dev.clew.retention.LegalHolds} keep what must not be removed, and {@link
 * dev.clew.retention.HoldingStore} sees to it. Policies and holds are records in the store, so that
 * the command line and all servers go by the same.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.retention;
