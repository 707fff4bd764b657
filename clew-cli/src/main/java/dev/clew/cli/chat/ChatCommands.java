package dev.clew.cli.chat;

import dev.clew.Commit;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.cli.terminal.Columns;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Humanize;
import dev.clew.cli.terminal.Output;
import dev.clew.cli.terminal.Paint;
import dev.clew.cli.terminal.SafeText;
import dev.clew.cli.terminal.Transcript;
import dev.clew.copy.EntryReader;
import dev.clew.kit.MadeTitles;
import dev.clew.kit.SessionInfos;
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
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What lines that start with a slash do. Used by one thread. */
final class ChatCommands {
  private static final int LISTED = 20;

  /** A command: its name, what may follow it, what it does. */
  private record Slash(String name, String argument, String help, Consumer<String> action) {}

  private final Chat chat;
  private final List<Slash> all;

  ChatCommands(Chat chat) {
    this.chat = chat;
    this.all =
        List.of(
            new Slash("/help", "", "shows this", unused -> help()),
            new Slash("/undo", "", "undoes the last turn, message and answer", unused -> undo()),
            new Slash("/clear", "", "empties the history; asks first", unused -> clear()),
            new Slash("/fork", "[ID]", "continues in a copy of this session", this::fork),
            new Slash("/sessions", "", "lists the newest sessions", unused -> sessions()),
            new Slash("/open", "[ID]", "continues in another session, or in a new one", this::open),
            new Slash("/title", "[TEXT]", "shows or sets the title", this::title),
            new Slash(
                "/export",
                "[FILE]",
                "writes the session to a new file: .json, .jsonl or text; without one shows it",
                this::export),
            new Slash("/quit", "", "leaves; so does Ctrl-D", unused -> {}));
  }

  static boolean isCommand(String line) {
    return line.strip().startsWith("/") && !line.strip().startsWith("//");
  }

  /** The message in a line; two slashes are one that is no command. */
  static String message(String line) {
    return line.strip().startsWith("//") ? line.strip().substring(1) : line.strip();
  }

  /** Whether a line says to leave. */
  static boolean isQuit(String line) {
    return line.strip().toLowerCase(Locale.ROOT).matches("/quit|/exit");
  }

  /** Does what a line says; false if it says to leave. */
  boolean run(String line) {
    String[] words = line.split("\\s+", 2);
    String name = words[0].toLowerCase(Locale.ROOT);
    Slash command =
        all.stream()
            .filter(each -> each.name().equals(name.equals("/exit") ? "/quit" : name))
            .findFirst()
            .orElseThrow(
                () ->
                    Failure.usage(
                        "there is no command "
                            + words[0]
                            + "; /help lists them, // sends a slash"));
    command.action().accept(words.length == 1 ? "" : words[1].strip());
    return !command.name().equals("/quit");
  }

  /** The words with which the last word of a line can go on. */
  List<String> complete(String line) {
    if (!line.startsWith("/")) {
      return List.of();
    }
    if (!line.contains(" ")) {
      return all.stream().map(Slash::name).filter(name -> name.startsWith(line)).toList();
    }
    String beginning = line.substring(line.indexOf(' ') + 1);
    return line.startsWith("/open ")
        ? newest(100).stream()
            .map(info -> info.key().id())
            .filter(id -> id.startsWith(beginning))
            .toList()
        : List.of();
  }

  private StoredSession session() {
    return chat.session();
  }

  private void help() {
    for (Slash command : all) {
      String usage = (command.name() + " " + command.argument()).strip();
      say(Columns.pad(usage, 16) + " " + command.help());
    }
    say("Anything else is a message. Ctrl-C stops an answer; press it again to leave.");
  }

  private void say(String text) {
    chat.console().notes().line(text).flush();
  }

  private void undo() {
    List<Item> turn = session().undoTurn();
    MadeTitles.removeIfEmpty(session());
    if (turn.isEmpty()) {
      say("there is nothing to undo");
      return;
    }
    say(
        "took back %s, beginning with %s"
            .formatted(Humanize.count(turn.size(), "item"), Transcript.preview(turn.get(0), 60)));
    if (turn.stream().anyMatch(item -> item.type().equals("function_call"))) {
      say("the effects of its tools remain");
    }
  }

  /**
   * The record and a title that somebody chose stay; what somebody else appends meanwhile does too.
   */
  private void clear() {
    List<Entry> newest = session().entries(Range.latest(1)).entries();
    if (newest.isEmpty()) {
      say("there is nothing to clear");
      return;
    }
    @Nullable String answer;
    try {
      answer = chat.console().ask("Remove all items of session " + session().id() + "? [y/N]");
    } catch (ChatConsole.Interrupted e) {
      answer = null;
    }
    if (answer == null || !answer.strip().toLowerCase(Locale.ROOT).matches("y|yes")) {
      say("nothing was removed");
      return;
    }
    session().commit(Commit.dropPrefix(newest.get(0).position(), List.of()));
    MadeTitles.removeIfEmpty(session());
    say("session " + session().id() + " is empty now");
  }

  private void fork(String id) {
    List<Entry> newest = session().entries(Range.latest(1)).entries();
    if (newest.isEmpty()) {
      throw Failure.notFound("there is nothing to fork yet; say something first");
    }
    String name = id.isEmpty() ? ChatCommand.newId() : id;
    String from = session().id();
    StoredSession made = session().fork(name, newest.get(0).position());
    say("forked from " + from + "; /open " + from + " goes back");
    chat.open(made, 0);
  }

  private void sessions() {
    Instant now = Instant.now();
    List<SessionInfo> newest = newest(LISTED);
    if (newest.isEmpty()) {
      say("there are no sessions yet");
    }
    for (SessionInfo info : newest) {
      String mark = info.key().equals(session().key()) ? "* " : "  ";
      String facts =
          Humanize.count(info.itemCount(), "item") + ", " + Humanize.ago(info.updatedAt(), now);
      say(mark + Columns.row(List.of(20, 28), info.key().id(), facts, SafeText.line(info.title())));
    }
  }

  private List<SessionInfo> newest(int limit) {
    SessionQuery query = SessionQuery.of(session().key().owner()).archived(false).limit(limit);
    return session().store().list(query).sessions();
  }

  private void open(String id) {
    String name = id.isEmpty() ? ChatCommand.newId() : id;
    StoredSession other = session().store().session(new SessionKey(session().key().owner(), name));
    chat.open(other, ChatCommand.SHOWN);
  }

  private void title(String title) {
    if (!title.isEmpty()) {
      session().update(SessionUpdate.none().title(title));
    }
    Optional<String> now =
        session().info().map(SessionInfo::title).filter(known -> !known.isEmpty());
    say(
        now.map(known -> "the title is '" + SafeText.line(known) + "'")
            .orElse("there is no title"));
  }

  private void export(String file) {
    ChatExport export = new ChatExport(session());
    if (file.isEmpty()) {
      export.text(chat.console().answers(), chat.console().paint(), chat.console().width());
      chat.console().answers().flush();
    } else {
      say("wrote " + Humanize.count(export.file(file), "item") + " to " + file);
    }
  }

  /** A session written to a file or to the screen. Immutable. */
  private record ChatExport(StoredSession session) {
    /** The session as a person reads it. */
    int text(Output out, Paint paint, OptionalInt width) {
      Transcript transcript = new Transcript(out, paint, width, false, false);
      return each(transcript::add);
    }

    /**
     * Writes a new file in the format of {@link ExportFormat} that its name ends with, else as
     * text. How many items it has.
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
      return SessionInfos.created(session.key(), Instant.now());
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
}
