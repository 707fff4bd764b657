package dev.clew.manage;

import dev.clew.ClewException;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.View;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One session of a {@link SessionManager}. Thread-safe. It has no state of its own: getters read
 * the store, and setters have written to it when they return.
 */
public final class ChatSession {
  /** The name of the active skill in the metadata of the stored session. */
  static final String ACTIVE_SKILL = "activeSkill";

  private static final int PAGE = 256;
  private static final int ATTEMPTS = 100;

  private final StoredSession stored;
  private final Instant made;

  ChatSession(StoredSession stored, Clock clock) {
    this.stored = stored;
    this.made = clock.instant();
  }

  /** Its key, such as {@code feishu:oc_xxx}. */
  public String key() {
    return stored.id();
  }

  /** The session in the store, for everything else. */
  public StoredSession stored() {
    return stored;
  }

  /** All messages, those of the system too, oldest first. */
  public List<SessionMessage> messages() {
    List<SessionMessage> messages = new ArrayList<>();
    for (Entry entry : Range.first(PAGE).walk(stored::entries)) {
      message(entry).ifPresent(messages::add);
    }
    return List.copyOf(messages);
  }

  /** The newest messages from user and assistant, oldest first. */
  List<ChatMessage> newest(int max) {
    List<ChatMessage> newest = new ArrayList<>();
    Range range = Range.latest(Math.min(max, PAGE));
    while (newest.size() < max) {
      EntryPage page = stored.entries(range);
      List<Entry> entries = page.entries();
      for (int i = entries.size() - 1; i >= 0 && newest.size() < max; i--) {
        message(entries.get(i)).flatMap(ChatSession::chat).ifPresent(newest::add);
      }
      if (!page.hasMore() || entries.isEmpty()) {
        break;
      }
      range = Range.before(entries.get(0).position(), PAGE);
    }
    Collections.reverse(newest);
    return List.copyOf(newest);
  }

  private static Optional<SessionMessage> message(Entry entry) {
    return entry.item().view() instanceof View.Message message
        ? Optional.of(new SessionMessage(message.role(), message.text(), entry.addedAt()))
        : Optional.empty();
  }

  private static Optional<ChatMessage> chat(SessionMessage message) {
    return switch (message.role()) {
      case USER, ASSISTANT ->
          Optional.of(new ChatMessage(message.role(), message.content(), message.timestamp()));
      case SYSTEM, DEVELOPER -> Optional.empty();
    };
  }

  /** When it was created: in the store or, until it is stored, here. */
  public Instant createdAt() {
    return stored.info().map(SessionInfo::createdAt).orElse(made);
  }

  /** When its messages last changed. */
  public Instant updatedAt() {
    return stored.info().map(SessionInfo::updatedAt).orElse(made);
  }

  /** The application's metadata. */
  public Map<String, Object> metadata() {
    Map<String, Object> own = new LinkedHashMap<>(all());
    own.remove(ACTIVE_SKILL);
    return Collections.unmodifiableMap(own);
  }

  /** Sets one value of the metadata; the others stay. */
  public void putMetadata(String name, Object value) {
    change(metadata -> metadata.put(notTheSkill(name), value));
  }

  /** Removes one value of the metadata. */
  public void removeMetadata(String name) {
    change(metadata -> metadata.remove(notTheSkill(name)));
  }

  private static String notTheSkill(String name) {
    if (name.equals(ACTIVE_SKILL)) {
      throw new IllegalArgumentException(
          "'" + ACTIVE_SKILL + "' is the active skill; use activeSkill and setActiveSkill");
    }
    return name;
  }

  /** The active skill, if any. */
  public Optional<String> activeSkill() {
    return Optional.ofNullable(all().get(ACTIVE_SKILL)).map(String::valueOf);
  }

  /** Sets the active skill. */
  public void setActiveSkill(String skill) {
    change(metadata -> metadata.put(ACTIVE_SKILL, skill));
  }

  /** Clears the active skill. */
  public void clearActiveSkill() {
    change(metadata -> metadata.remove(ACTIVE_SKILL));
  }

  private Map<String, Object> all() {
    return stored.info().map(SessionInfo::metadata).orElse(Map.of());
  }

  /** Read-modify-write of the metadata, retried on conflict. */
  private void change(Consumer<Map<String, Object>> change) {
    for (int attempt = 1; ; attempt++) {
      Optional<SessionInfo> info = stored.info();
      Map<String, Object> metadata =
          new LinkedHashMap<>(info.map(SessionInfo::metadata).orElse(Map.of()));
      change.accept(metadata);
      try {
        stored.update(
            SessionUpdate.none()
                .metadata(metadata)
                .expectVersion(info.map(SessionInfo::version).orElse(0L)));
        return;
      } catch (ClewException.VersionConflict e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  @Override
  public String toString() {
    return stored.toString();
  }
}
