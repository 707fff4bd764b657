package dev.clew.cli.chat;

import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.StoredSession;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Humanize;
import dev.clew.cli.terminal.Output;
import dev.clew.cli.terminal.Paint;
import dev.clew.cli.terminal.Transcript;
import dev.clew.copy.EntryReader;
import dev.clew.transcript.ExportFormat;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;

/** A session written to a file or to the screen. Immutable. */
record ChatExport(StoredSession session) {
  /** The session as a person reads it. */
  int text(Output out, Paint paint, OptionalInt width) {
    Transcript transcript = new Transcript(out, paint, width, false, false);
    return each(transcript::add);
  }

  /**
   * Writes a new file in the format of {@link ExportFormat} that its name ends with, else as text.
   * How many items it has.
   */
  int file(String name) {
    try (OutputStream file =
        Files.newOutputStream(
            Path.of(name), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      Output out = new Output(file);
      int items = write(name.toLowerCase(Locale.ROOT), out);
      out.flush();
      return items;
    } catch (FileAlreadyExistsException e) {
      throw Failure.conflict("there is a file '" + name + "' already; name another");
    } catch (InvalidPathException e) {
      throw Failure.usage("'" + name + "' is not the name of a file");
    } catch (IOException e) {
      throw Failure.failed("cannot write '" + name + "': " + Humanize.reason(e));
    }
  }

  private int write(String name, Output out) {
    Optional<ExportFormat> format = ExportFormat.of(name.substring(name.lastIndexOf('.') + 1));
    if (format.isEmpty()) {
      return text(out, new Paint(false), OptionalInt.empty());
    }
    List<Entry> entries = session.entries(Range.latest(Integer.MAX_VALUE)).entries();
    out.print(format.get().write(session.info().orElseGet(this::unwritten), entries));
    return entries.size();
  }

  /** A session in which nothing was said yet is in no store. */
  private SessionInfo unwritten() {
    Instant now = Instant.now();
    return new SessionInfo(
        session.key(),
        1,
        0,
        0,
        now,
        now,
        "",
        Map.of(),
        Set.of(),
        false,
        false,
        Optional.empty(),
        Optional.empty());
  }

  private int each(Consumer<Item> reader) {
    int items = 0;
    EntryReader history =
        EntryReader.ofHistory(session.store(), session.info().orElseGet(this::unwritten));
    while (history.hasMore()) {
      List<Entry> entries = history.next();
      entries.forEach(entry -> reader.accept(entry.item()));
      items += entries.size();
    }
    return items;
  }
}
