/**
 * Clew in Spring Boot: a store from the property {@code clew.url}, with health, observation and the
 * chat memory of Spring AI. Frameworks are optional here; only what is on the class path is
 * configured.
 */
@NullMarked
package dev.clew.springboot;

import org.jspecify.annotations.NullMarked;
