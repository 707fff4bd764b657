/**
 * Encryption at rest: {@link dev.clew.crypto.EncryptedStore} over any store, {@link
 * dev.clew.crypto.MasterKeys} that the operator holds, and {@link dev.clew.crypto.KeySource} where
 * they come from. No type of Tink is shown.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.crypto;
