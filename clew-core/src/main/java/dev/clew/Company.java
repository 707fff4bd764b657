package dev.clew;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * What is written together with a change of a session: how long the session lives from then on, and
 * a record of its owner that says what came of the change. Immutable.
 *
 * @param timeToLive how long the session lives after its last update, if that is to be set
 * @param recordName the record
 * @param recordVersion the version that the record must have; 0 if it must not exist
 * @param recordLife how long the record lives
 * @param record its text, made from the receipt; it may be asked for more than once, and while the
 *     store is locked, so it must not call the store
 */
public record Company(
    Optional<Duration> timeToLive,
    String recordName,
    OptionalLong recordVersion,
    Optional<Duration> recordLife,
    Function<Receipt, String> record) {}
