/**
 * What stores are built from. {@link dev.clew.kit.BackendStore} turns a {@link
 * dev.clew.spi.Backend} into a {@link dev.clew.SessionStore}, {@link
 * dev.clew.kit.ForwardingBackend} is the base of decorators; the other classes are parts that
 * several stores share.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.kit;
