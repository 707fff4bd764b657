package dev.clew.demo;

import java.util.List;
import java.util.Map;

/** What the assistant does next. Immutable. */
sealed interface Step {
  /** Answers. */
  record Say(String text) implements Step {}

  /** Answers with a question, which the next sentence may answer. */
  record Ask(String text, Question question) implements Step {}

  /** Calls tools, and continues with their outputs. */
  record Use(List<Call> calls) implements Step {}

  /** One call. */
  record Call(String tool, Map<String, ?> arguments) {}
}
