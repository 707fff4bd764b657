/**
 * What all commands share: the common options, the configuration file, how a store is chosen and
 * opened, and how help and errors are printed.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.cli.command;
