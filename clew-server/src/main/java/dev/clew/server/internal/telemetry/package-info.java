/**
 * What can be observed of a server: metrics for Prometheus, spans for OpenTelemetry, a log line for
 * each call, and the audited calls. None of them contains what people say.
 */
@NullMarked
package dev.clew.server.internal.telemetry;

import org.jspecify.annotations.NullMarked;
