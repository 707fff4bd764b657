package dev.clew.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Capability;
import dev.clew.Commit;
import dev.clew.Documents;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Leases;
import dev.clew.Range;
import dev.clew.SearchQuery;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.Stores;
import dev.clew.crypto.EncryptedStore;
import dev.clew.crypto.KeySource;
import dev.clew.crypto.MasterKeys;
import dev.clew.testservers.PostgresServer;
import dev.clew.testservers.RedisServer;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Stores that were written in November 2026, before the stores were built on one kit, are opened,
 * read and written. The files under {@code earlier} must never be made again: that they are old is
 * what they are for.
 */
class EarlierStoresTest {
  private static final Item NEW = Item.user("written since");

  @TempDir Path folder;

  /** Opens the same store each time. */
  private interface Opening {
    SessionStore open();
  }

  @Test
  void sqlite() throws Exception {
    Path file = Files.write(folder.resolve("sqlite.db"), unpacked("sqlite.db.gz"));
    check("sqlite", () -> Stores.open("sqlite:" + file));
  }

  @Test
  void jsonl() throws Exception {
    try (ZipInputStream in = new ZipInputStream(resource("jsonl.zip"))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        Path file = folder.resolve("sessions").resolve(entry.getName());
        Files.createDirectories(file.getParent());
        Files.write(file, in.readAllBytes());
      }
    }
    check("jsonl", () -> Stores.open("jsonl:" + folder.resolve("sessions")));
  }

  @Test
  void postgres() throws Exception {
    PostgresServer server = PostgresServer.shared();
    server.execute(new String(unpacked("postgres.sql.gz"), StandardCharsets.UTF_8));
    check("postgres", () -> Stores.open(server.url("earlier")));
  }

  @Test
  void redis() throws Exception {
    RedisServer server = RedisServer.shared();
    for (String line : text("redis.commands").lines().toList()) {
      List<String> words = new ArrayList<>();
      for (String word : line.split(" ", -1)) {
        words.add(new String(Base64.getDecoder().decode(word), StandardCharsets.UTF_8));
      }
      CommandArgs<String, String> arguments = new CommandArgs<>(StringCodec.UTF8);
      words.subList(1, words.size()).forEach(arguments::add);
      server.ask(
          redis ->
              redis.dispatch(
                  CommandType.valueOf(words.get(0)),
                  new ArrayOutput<>(StringCodec.UTF8),
                  arguments));
    }
    check("redis", () -> Stores.open(server.url("before")));
  }

  @Test
  void encrypted() throws Exception {
    Path file = Files.write(folder.resolve("encrypted.db"), unpacked("encrypted.db.gz"));
    Path keys = folder.resolve("clew.key");
    Files.createFile(
        keys, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(keys, text("encrypted.key"));
    check(
        "encrypted",
        () ->
            EncryptedStore.over(
                Stores.open("sqlite:" + file), MasterKeys.of(KeySource.of("file:" + keys))));
  }

  private void check(String name, Opening opening) throws IOException {
    SessionKey ann = new SessionKey("ann:b%_", "plain");
    List<Item> before;
    try (SessionStore store = opening.open()) {
      assertThat(describe(store)).isEqualTo(text(name + ".txt"));
      if (store.traits().capabilities().contains(Capability.SEARCH)) {
        assertThat(store.search(SearchQuery.of("", "lazy dog")).hits())
            .allMatch(hit -> hit.key().id().equals("cold"))
            .isNotEmpty();
      }
      before = store.session(ann).getItems();
      write(store, store.session(ann));
    }
    try (SessionStore store = opening.open()) {
      StoredSession session = store.session(ann);
      assertThat(session.getItems()).containsExactly(Item.assistant("Hello, again."), NEW);
      assertThat(session.entries(Range.first(10).withCompacted()).entries())
          .extracting(Entry::item)
          .containsAll(before);
      assertThat(store.session("cold").getItems()).hasSize(41).endsWith(NEW);
      assertThat(store.session("fork of a fork").getItems())
          .isEqualTo(store.session("fork").getItems());
      assertThat(store.documents().get("ann:b%_", "token/1").orElseThrow().json())
          .isEqualTo("{\"a\":3}");
      store.erase("ann:b%_");
      assertThat(store.owners(Optional.empty(), 10)).containsExactly("", "only records");
      store.check(finding -> assertThat(finding).as("a finding in %s", name).isNull());
    }
  }

  /** Every kind of change, so that every kind of old row is met. */
  private static void write(SessionStore store, StoredSession session) {
    Documents records = store.documents();
    Documents.Document record = records.get("ann:b%_", "token/1").orElseThrow();
    assertThat(record.json()).isEqualTo("{\"a\":2}");
    Leases.Grant grant =
        store
            .leases()
            .tryAcquire(session.key(), "turn", "somebody else", Duration.ofSeconds(30))
            .orElseThrow();
    assertThat(grant.fence()).as("fences go on").isGreaterThan(2);
    long end = session.entries(Range.latest(1)).entries().get(0).position();
    session.addItems(List.of(NEW));
    session.commit(
        Commit.replacePrefix(end, List.of(Item.assistant("Hello, again.")))
            .fence(new Commit.Fence("turn", grant.fence())));
    store.leases().release(grant);
    records.put(
        "ann:b%_", "token/1", "{\"a\":3}", OptionalLong.of(record.version()), Optional.empty());
    store.session("cold").addItems(List.of(NEW));
    StoredSession fork = store.session("fork");
    fork.fork("fork of a fork", fork.entries(Range.latest(1)).entries().get(0).position());
    for (String id : List.of("plain", "compacted", "with notes", "edited", "popped", "empty")) {
      StoredSession one = store.session(id);
      List<Item> was = one.getItems();
      one.addItems(List.of(NEW));
      assertThat(one.popItem()).contains(NEW);
      assertThat(one.getItems()).isEqualTo(was);
    }
  }

  /** All that a store says of its sessions and documents. */
  private static String describe(SessionStore store) {
    StringBuilder out = new StringBuilder();
    for (String owner : store.owners(Optional.empty(), 100)) {
      out.append("owner ").append(owner).append('\n');
      for (SessionInfo info : store.list(SessionQuery.of(owner).limit(1000)).sessions()) {
        out.append("  session ").append(info.key().id());
        out.append(" version ").append(info.version());
        out.append(" items ").append(info.itemCount());
        out.append(" bytes ").append(info.bytes());
        out.append(" created ").append(info.createdAt());
        out.append(" updated ").append(info.updatedAt()).append('\n');
        out.append("    title ").append(info.title());
        out.append(" tags ").append(new TreeSet<>(info.tags()));
        out.append(" metadata ").append(new TreeMap<>(info.metadata()));
        out.append(info.archived() ? " archived" : "").append(info.pinned() ? " pinned" : "");
        out.append(" lives ");
        out.append(info.timeToLive().map(Duration::toString).orElse("for ever"));
        out.append(" from ");
        out.append(
            info.parent()
                .map(parent -> parent.key() + " at " + parent.position())
                .orElse("nothing"));
        out.append('\n');
        Range all = Range.first(Integer.MAX_VALUE).withCompacted();
        for (Entry entry : store.session(info.key()).entries(all).entries()) {
          out.append("    ").append(entry.compacted() ? "- " : "+ ").append(entry.position());
          out.append(' ').append(entry.addedAt()).append(' ').append(entry.item().json());
          out.append(' ').append(new TreeMap<>(entry.notes())).append('\n');
        }
      }
      for (Documents.Document one : store.documents().list(owner, "", Optional.empty(), 100)) {
        out.append("  document ").append(one.name()).append(' ').append(one.json());
        out.append(" version ").append(one.version()).append(" expires ");
        out.append(one.expiresAt().map(Instant::toString).orElse("never")).append('\n');
      }
    }
    return out.toString();
  }

  private static InputStream resource(String name) {
    return EarlierStoresTest.class.getResourceAsStream("/earlier/" + name);
  }

  private static byte[] unpacked(String name) throws IOException {
    try (InputStream in = new GZIPInputStream(resource(name))) {
      return in.readAllBytes();
    }
  }

  private static String text(String name) throws IOException {
    try (InputStream in = resource(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
