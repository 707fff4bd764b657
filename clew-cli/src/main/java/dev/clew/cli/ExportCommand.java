package dev.clew.cli;

import dev.clew.Item;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.internal.JsonObject;
import dev.clew.transcript.ExportedSession;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code clew export}: one session as a JSON document. Used once, by one thread. */
@Command(
    name = "export",
    description = {
      "Writes the history of a session as one JSON document.",
      "It has session_id, item_count and items, each item as it was stored."
    },
    footer = {
      "",
      "Examples:",
      "  clew export trip",
      "  clew export trip --output trip.json",
      "",
      "'clew import' reads it. Title, tags and what compactions replaced are not part of it;",
      "'clew migrate' takes everything to another store."
    })
final class ExportCommand extends StoreAction {
  @Parameters(paramLabel = "ID", description = "The session.")
  String id = "";

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Where to write it; replaced as a whole. Default: standard output.")
  @Nullable String output;

  ExportCommand(Clew clew) {
    super(clew);
  }

  @Override
  int run(SessionStore store) {
    StoredSession session = store.session(clew().key(id));
    clew().existing(session);
    List<Item> items = session.getItems(Integer.MAX_VALUE); // one read, so of one moment
    if (output == null) {
      write(clew().out(), session, items);
      return ExitCode.OK;
    }
    writeFile(output, session, items);
    clew()
        .out()
        .line(
            clew().json
                ? new JsonObject()
                    .put("id", session.id())
                    .put("owner", session.key().owner())
                    .put("exported", items.size())
                    .put("file", output)
                    .toString()
                : "wrote "
                    + Words.count(items.size(), "item")
                    + " of session "
                    + session.key()
                    + " to "
                    + output);
    return ExitCode.OK;
  }

  static void write(Output out, StoredSession session, List<Item> items) {
    out.print(ExportedSession.of(session.id(), items).toJson());
  }

  /** First beside it, so that a file of that name is there as a whole, the old or the new. */
  private static void writeFile(String name, StoredSession session, List<Item> items) {
    try {
      Path file = Path.of(name).toAbsolutePath();
      Path folder = file.getParent();
      if (folder == null || Files.isDirectory(file)) {
        throw Failure.usage("'" + name + "' is a folder; name a file");
      }
      Path draft = Files.createTempFile(folder, ".clew-export", ".part");
      try {
        try (OutputStream stream = Files.newOutputStream(draft)) {
          Output out = new Output(stream);
          write(out, session, items);
          out.flush();
        }
        Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(draft);
      }
    } catch (InvalidPathException e) {
      throw Failure.usage("'" + name + "' is no file name");
    } catch (IOException e) {
      throw Failure.failed("cannot write '" + name + "': " + Words.reason(e));
    }
  }
}
