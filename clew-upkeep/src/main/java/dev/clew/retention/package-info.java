/**
 * How long sessions are kept: {@link dev.clew.retention.Retention} removes or compresses sessions
 * by policy, {@link dev.clew.retention.LegalHolds} says what must not be removed, and {@link
 * dev.clew.retention.HoldingStore} enforces it. Policies and holds are documents in the store, so
 * the command line and all servers use the same ones.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.retention;
