package dev.clew.server.hostile;

import static dev.clew.server.hostile.ServerProcess.get;
import static dev.clew.server.hostile.ServerProcess.post;
import static dev.clew.server.hostile.ServerProcess.say;
import static dev.clew.server.hostile.ServerProcess.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.clew.Item;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.server.hostile.ServerProcess.Answer;
import dev.clew.server.hostile.ServerProcess.Start;
import dev.clew.testservers.AttackedServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * A disk under a running server that is full, that hangs, or whose file is taken away: it says that
 * it is not ready, acknowledges nothing that is not there, and goes on when it can.
 */
@Tag("hostile")
class DisksTest {
  /** Mounts a small disk with little room, runs the server there, and makes room when asked. */
  private static final String ON_A_SMALL_DISK =
      """
      set -e
      disk=$1
      shift
      mount -t tmpfs -o size=12m clew "$disk"
      head -c 6000000 /dev/zero >"$disk/filler"
      "$@" &
      server=$!
      while read -r word; do rm "$disk/filler"; done
      kill -9 $server
      """;

  @TempDir Path folder;

  private static boolean works(String... command) throws Exception {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false; // there is no such program
    }
  }

  private static Answer add(AttackedServer who, String session, String text) {
    return post(
        who,
        "/v1/conversations/" + session + "/items",
        "{\"items\":[{\"type\":\"message\",\"role\":\"user\",\"content\":\"" + text + "\"}]}");
  }

  private static int ready(ServerProcess server) {
    return get(server.ann(), "/readyz").status();
  }

  /** A real one, in a mount namespace of the server alone; none where that is forbidden. */
  @TestFactory
  Stream<DynamicTest> aFullDisk() throws Exception {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    for (String flag : List.of("-m", "-rm")) { // as root, or as root of a user namespace
      if (works("unshare", flag, "mount", "-t", "tmpfs", "clew", disk.toString())) {
        return Stream.of(dynamicTest("unshare " + flag, () -> fill(flag, disk)));
      }
    }
    System.err.println("no disk can be mounted here, so none is filled");
    return Stream.empty();
  }

  private void fill(String flag, Path disk) throws Exception {
    Start start =
        new Start(
            List.of("unshare", flag, "sh", "-c", ON_A_SMALL_DISK, "sh", disk.toString()),
            List.of("-Xmx256m"),
            Map.of());
    ServerProcess server = new ServerProcess(folder, disk.resolve("f.db"), start);
    try {
      AttackedServer ann = server.ann();
      assertThat(say(ann, "s", "hello").status()).isEqualTo(200);
      assertThat(ready(server)).isEqualTo(200);
      List<String> acknowledged = new ArrayList<>();
      String much = "x".repeat(100_000);
      Answer refused =
          until(
              "the disk is full",
              () -> {
                String mark = "mark-" + acknowledged.size() + "-";
                Answer answer = add(ann, "s", mark + much);
                if (answer.status() == 200) {
                  acknowledged.add(mark);
                }
                return answer;
              },
              answer -> answer.status() != 200);
      assertThat(refused.status()).as(refused.body()).isEqualTo(503);
      until("it says that it is not ready", () -> ready(server), status -> status == 503);
      assertThat(get(ann, "/api/sessions").status()).isEqualTo(200);
      assertThat(get(ann, "/healthz").status()).isEqualTo(200);
      server.tell("free");
      until("it writes again", () -> add(ann, "s", "later").status(), status -> status == 200);
      until("it is ready again", () -> ready(server), status -> status == 200);
      for (String mark : acknowledged) {
        assertThat(everything(ann).split(mark, -1)).as(mark).hasSize(2);
      }
    } finally {
      server.endWithPrefix();
    }
  }

  private static String everything(AttackedServer who) {
    return get(who, "/api/sessions/s/export?format=jsonl").body();
  }

  /** Calls of the system do not return while there is a certain file; see hung.c. */
  @TestFactory
  Stream<DynamicTest> aDiskThatHangs() throws Exception {
    Path source = folder.resolve("hung.c");
    try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("hung.c"))) {
      Files.copy(in, source);
    }
    Path library = folder.resolve("hung.so");
    if (works("cc", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl")) {
      return Stream.of(dynamicTest("by a library between", () -> hang(library)));
    }
    System.err.println("there is no C compiler here, so no disk hangs");
    return Stream.empty();
  }

  private void hang(Path library) throws Exception {
    Path sign = folder.resolve("hangs");
    Start start =
        new Start(
            List.of(),
            List.of("-Xmx256m"),
            Map.of("LD_PRELOAD", library.toString(), "CLEW_HUNG", sign.toString()));
    try (ServerProcess server = new ServerProcess(folder, folder.resolve("hung.db"), start)) {
      AttackedServer ann = server.ann();
      assertThat(say(ann, "s", "before").status()).isEqualTo(200);
      assertThat(ready(server)).isEqualTo(200);
      Files.createFile(sign);
      CompletableFuture<Answer> waits =
          CompletableFuture.supplyAsync(() -> add(ann, "s", "meanwhile"));
      until("it says that it is not ready", () -> ready(server), status -> status == 503);
      assertThat(get(ann, "/healthz").status()).isEqualTo(200);
      assertThat(waits).as("nothing is acknowledged").isNotDone();
      Files.delete(sign);
      assertThat(waits.get().status()).isEqualTo(200);
      until("it is ready again", () -> ready(server), status -> status == 200);
      assertThat(everything(ann).split("meanwhile", -1)).hasSize(2);
    }
  }

  @Test
  void aFileThatIsRemoved() throws Exception {
    Path file = folder.resolve("r.db");
    try (ServerProcess server = new ServerProcess(folder, file, Start.USUAL)) {
      assertThat(say(server.ann(), "s", "hello").status()).isEqualTo(200);
      for (String end : List.of("", "-wal", "-shm")) {
        Files.deleteIfExists(folder.resolve("r.db" + end));
      }
      assertRefuses(server);
    }
  }

  @Test
  void aFileThatIsReplaced() throws Exception {
    Path file = folder.resolve("r.db");
    Path other = folder.resolve("other.db");
    try (SessionStore store = Stores.open("sqlite:" + other)) {
      store.session("s").addItems(List.of(Item.user("of the other file")));
    }
    try (ServerProcess server = new ServerProcess(folder, file, Start.USUAL)) {
      assertThat(say(server.ann(), "s", "hello").status()).isEqualTo(200);
      Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
      assertRefuses(server);
    }
    try (SessionStore store = Stores.open("sqlite:" + file)) {
      assertThat(store.session("s").getItems()).hasSize(1);
    }
  }

  private static void assertRefuses(ServerProcess server) {
    until("it says that it is not ready", () -> ready(server), status -> status == 503);
    assertThat(add(server.ann(), "s", "into nothing").status()).isEqualTo(503);
    assertThat(get(server.ann(), "/healthz").status()).isEqualTo(200);
  }
}
