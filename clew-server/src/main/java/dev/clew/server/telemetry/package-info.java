/** Metrics for Prometheus and spans for OpenTelemetry. Nothing of what people say is in either. */
@NullMarked
package dev.clew.server.telemetry;

import org.jspecify.annotations.NullMarked;
