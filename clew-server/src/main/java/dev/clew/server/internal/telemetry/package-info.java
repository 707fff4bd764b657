/**
 * What can be observed of a server: metrics for Prometheus, spans for OpenTelemetry, a log line for
 * each call, and the calls that go into the audit log. Nothing of what people say is in any of
 * them.
 */
@NullMarked
package dev.clew.server.internal.telemetry;

import org.jspecify.annotations.NullMarked;
