/**
 * A model and an agent that need no key and no network: a schedule assistant for demonstrations and
 * tests. The model sees a request like any other and knows nothing else; the agent's tools keep the
 * events. Nothing else in Clew may depend on the details here.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.demo;
