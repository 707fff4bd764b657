package dev.clew.mcp;

import dev.clew.SessionKey;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The arguments of one call, checked against their {@link Schema}. Immutable. */
record Arguments(Map<String, Object> values) {
  Optional<String> text(String name) {
    return Optional.ofNullable((String) values.get(name)).filter(text -> !text.isEmpty());
  }

  String needText(String name) {
    return text(name).orElseThrow(() -> new ToolFailure("The argument " + name + " is empty."));
  }

  Optional<Long> whole(String name) {
    return Optional.ofNullable((Long) values.get(name));
  }

  int whole(String name, int otherwise) {
    return whole(name).map(Long::intValue).orElse(otherwise);
  }

  boolean flag(String name) {
    return Boolean.TRUE.equals(values.get(name));
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  @SuppressWarnings("unchecked")
  List<String> texts(String name) {
    return (List<String>) values.getOrDefault(name, List.of());
  }

  /** A time, or the beginning of a day in UTC. */
  Optional<Instant> time(String name) {
    return text(name)
        .map(
            text -> {
              try {
                return text.length() == 10
                    ? LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC)
                    : Instant.parse(text);
              } catch (DateTimeParseException e) {
                throw new ToolFailure(
                    name
                        + " must be a date such as 2026-01-31 or a time such as"
                        + " 2026-01-31T10:00:00Z.");
              }
            });
  }

  /** The session that the call is about, of this owner. */
  SessionKey session(String owner) {
    String id = needText("session_id");
    try {
      return new SessionKey(owner, id);
    } catch (IllegalArgumentException e) { // no session can have this id
      throw ToolFailure.noSession(id);
    }
  }
}
