package dev.clew.server.internal.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Documents.Document;
import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.backup.BackupFolder;
import dev.clew.backup.BackupStore;
import dev.clew.retention.Retention;
import dev.clew.retention.RetentionPolicy;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.server.settings.BackupSettings;
import dev.clew.server.settings.RetentionSettings;
import dev.clew.spi.Compression;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server does by itself. */
class ChoresTest {
  @TempDir Path folder;

  private static LiveServer server(SessionStore store, Path to, Duration every) {
    return new LiveServer(
        store,
        settings -> settings.openMetrics(true).backups(new BackupSettings(store, to, every, 2)));
  }

  private static List<String> audited(SessionStore store) {
    return store.documents().list("@clew", "audit/", Optional.empty(), 100).stream()
        .map(Document::json)
        .toList();
  }

  @Test
  void backupsAreMadeAndRotated_andNotAgainAfterARestart() {
    Path to = folder.resolve("backups");
    BackupFolder backups = new BackupFolder(to);
    try (SessionStore store = Stores.open("memory:")) {
      store.session("s").addItems(List.of(Item.user("x")));
      Path newest;
      try (LiveServer live = server(store, to, Duration.ofMillis(150))) {
        Eventually.ask("backups", () -> backups.files().size(), count -> count >= 3);
        assertThat(live.send("GET", "/metrics", "").body())
            .contains("clew_chores_seconds_count{chore=\"backup\",outcome=\"ok\"}")
            .contains("clew_backup_age_seconds 0");
        assertThat(audited(store))
            .anySatisfy(line -> assertThat(line).contains("\"backup\"", "\"done\""));
      }
      newest = backups.newest().orElseThrow();
      try (BackupStore backup = BackupStore.open(newest)) {
        backup.verify(bytes -> {});
        assertThat(backup.session("s").getItems()).hasSize(1);
      }
      try (LiveServer live = server(store, to, Duration.ofHours(1))) {
        assertThat(live.send("GET", "/metrics", "").body()).contains("clew_backup_age_seconds");
        assertThat(backups.newest()).contains(newest);
      }
    }
  }

  @Test
  void policiesAreRun_andWhatIsOnHoldStaysWhoeverAsks() {
    try (SessionStore store = Stores.open("jsonl:" + folder.resolve("sessions"))) {
      for (String id : List.of("old", "held")) {
        store.session(new SessionKey("ann", id)).addItems(List.of(Item.user("x")));
      }
      SessionKey cold = new SessionKey("bob", "cold");
      store.session(cold).addItems(List.of(Item.user("said long ago ".repeat(1_000))));
      Retention retention = Retention.of(store);
      retention.set(
          new RetentionPolicy(
                  "cold",
                  Optional.of("bob"),
                  Optional.empty(),
                  Optional.empty(),
                  Optional.empty(),
                  OptionalInt.of(0))
              .compressing());
      retention.holds().place("ann", Optional.of("held"), "case 17", Clock.systemUTC());
      retention.set(
          new RetentionPolicy(
              "none",
              Optional.of("ann"),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              OptionalInt.of(0)));
      RetentionSettings daily =
          new RetentionSettings(store, Duration.ofDays(1), Optional.of(folder));
      try (LiveServer live = new LiveServer(store, settings -> settings.retention(daily))) {
        Eventually.ask(
            "the removal",
            () -> store.session(new SessionKey("ann", "old")).info(),
            Optional::isEmpty);
        Eventually.ask(
            "the entry",
            () -> audited(store),
            lines -> lines.stream().anyMatch(line -> line.contains("\"retention\"")));
        assertThat(folder).isDirectoryContaining("glob:**-removed.backup");
        assertThat(Compression.of(store).isWorthwhile(cold)).isFalse();
        assertThat(folder.resolve("sessions/@bob/cold.jsonl.gz")).exists();
        assertThat(store.session(cold).getItems()).hasSize(1);
        String bearer = "Bearer " + live.token("ann");
        for (String path : List.of("/api/sessions/held", "/api/chat/held")) {
          HttpResponse<String> answer = live.send("DELETE", path, "", "Authorization", bearer);
          assertThat(answer.statusCode()).isEqualTo(409);
          assertThat(answer.body()).contains("legal_hold").doesNotContain("case 17");
        }
        assertThat(store.session(new SessionKey("ann", "held")).getItems()).hasSize(1);
      }
    }
  }

  @Test
  void aBackupThatFailsIsToldAndTriedAgain_andTheServerGoesOn() throws IOException {
    Path to = folder.resolve("in the way");
    Files.writeString(to, "a file");
    try (SessionStore store = Stores.open("memory:")) {
      store.session("s").addItems(List.of(Item.user("x")));
      try (LiveServer live = server(store, to, Duration.ofSeconds(1))) {
        Eventually.ask(
            "the failure",
            () -> audited(store),
            lines -> lines.stream().anyMatch(line -> line.contains("\"failed\"")));
        assertThat(live.send("GET", "/healthz", "").statusCode()).isEqualTo(200);
        Files.delete(to);
        Eventually.ask(
            "the next try", () -> new BackupFolder(to).files().size(), count -> count > 0);
      }
    }
  }
}
