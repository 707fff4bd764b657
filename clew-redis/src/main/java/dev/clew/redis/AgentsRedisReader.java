package dev.clew.redis;

import dev.clew.ClewException;
import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.ItemLimits;
import dev.clew.imports.BadSource;
import dev.clew.imports.Conversation;
import dev.clew.imports.ConversationReader;
import dev.clew.imports.Losses;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads lists of items out of Redis. Not thread-safe. */
final class AgentsRedisReader implements ConversationReader {
  private static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final int PAGE = 500;

  private final Server server;
  private final String where;
  private final Losses losses;
  private final TreeSet<Session> sessions = new TreeSet<>();
  private final Iterator<Session> rest;
  private long done;

  /** How the keys of a program are called: the list's name is prefix, id, suffix. */
  private record Layout(String prefix, String suffix) {}

  private record Session(String id, String list, String hash) implements Comparable<Session> {
    @Override
    public int compareTo(Session other) {
      return list.compareTo(other.list);
    }
  }

  private AgentsRedisReader(Server server, String where, List<Layout> layouts, Losses losses) {
    this.server = server;
    this.where = where;
    this.losses = losses;
    layouts.forEach(this::find);
    this.rest = sessions.iterator();
    if (sessions.isEmpty()) {
      throw new BadSource(
          where
              + " has no sessions of the OpenAI Agents SDK (no lists "
              + String.join(
                  " or ",
                  layouts.stream().map(layout -> layout.prefix() + "ID" + layout.suffix()).toList())
              + "); if they have another prefix, add ?prefix=… to the URL");
    }
  }

  static AgentsRedisReader open(RedisUrl url, Losses losses) {
    List<Layout> layouts =
        url.prefix()
            .map(prefix -> List.of(new Layout(prefix + ":", ":messages")))
            .orElse(
                List.of(
                    new Layout("agents:session:", ":messages"),
                    new Layout("agent:session:", ":history")));
    Server server = new Connecting(new RedisErrors(url.where(), DEADLINE), DEADLINE).open(url);
    try {
      return new AgentsRedisReader(server, url.where(), layouts, losses);
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private void find(Layout layout) {
    String prefix = layout.prefix();
    for (String name : server.scan(prefix, escaped(prefix) + "*" + layout.suffix())) {
      int end = Math.max(prefix.length(), name.length() - layout.suffix().length());
      String id = name.substring(prefix.length(), end);
      if (!id.isEmpty()) {
        sessions.add(new Session(id, name, prefix + id));
      }
    }
  }

  private static String escaped(String text) {
    return text.replaceAll("([\\\\*?\\[\\]])", "\\\\$1");
  }

  @Override
  public Optional<Conversation> next() {
    while (rest.hasNext()) {
      Session session = rest.next();
      done++;
      losses.nextConversation();
      String place = where + ", key " + session.list();
      byte[] list = Wire.bytes(session.list());
      if (!server.get(list, redis -> redis.type(list)).equals("list")) {
        losses.add(place, "a key that is no list");
        continue;
      }
      Optional<List<Draft>> drafts = drafts(list, place);
      if (drafts.isPresent()) {
        Map<String, @Nullable Object> about = about(session);
        return Optional.of(
            Conversation.of(
                "agents-redis",
                session.id(),
                place,
                time(about.get("created_at")),
                time(about.get("updated_at")),
                about,
                drafts.get()));
      }
    }
    return Optional.empty();
  }

  private Optional<List<Draft>> drafts(byte[] list, String place) {
    List<Draft> drafts = new ArrayList<>();
    long chars = 0;
    for (long start = 0; ; start += PAGE) {
      long from = start;
      List<byte[]> page = server.get(list, redis -> redis.lrange(list, from, from + PAGE - 1));
      for (int i = 0; i < page.size(); i++) {
        try {
          Item item = Item.parse(page.get(i), ItemLimits.STORE);
          chars += item.json().length();
          drafts.add(Draft.of(item));
        } catch (ClewException.InvalidItem e) {
          losses.add(
              place + ", index " + (start + i), "a message that is no item: " + e.getMessage());
        }
      }
      if (chars > Conversation.MOST_CHARS) {
        losses.add(place, "a session of more than " + (Conversation.MOST_CHARS >> 20) + " MiB");
        return Optional.empty();
      }
      if (page.size() < PAGE) {
        return Optional.of(drafts);
      }
    }
  }

  /** The SDK keeps times, and the id once more, in a hash. */
  private Map<String, @Nullable Object> about(Session session) {
    Map<String, @Nullable Object> about = new TreeMap<>();
    byte[] hash = Wire.bytes(session.hash());
    if (server.get(hash, redis -> redis.type(hash)).equals("hash")) {
      server
          .get(hash, redis -> redis.hgetall(hash))
          .forEach((name, value) -> about.put(Wire.text(name), Wire.text(value)));
    }
    return about;
  }

  /** In seconds since 1970. */
  private static Optional<Instant> time(@Nullable Object seconds) {
    return seconds instanceof String text && text.matches("\\d{1,11}")
        ? Optional.of(Instant.ofEpochSecond(Long.parseLong(text)))
        : Optional.empty();
  }

  @Override
  public long read() {
    return done;
  }

  @Override
  public long size() {
    return sessions.size();
  }

  @Override
  public void close() {
    server.close();
  }
}
