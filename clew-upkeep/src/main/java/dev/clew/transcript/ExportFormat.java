package dev.clew.transcript;

import dev.clew.Entry;
import dev.clew.SessionInfo;
import dev.clew.kit.Sha256;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The file formats of an export. */
public enum ExportFormat {
  /** One document with everything, see {@link ExportedSession}; it can be imported again. */
  JSON("application/json"),
  /** An item on each line, as it was stored. */
  JSONL("application/jsonl; charset=utf-8"),
  /** Markdown for people. */
  MD("text/markdown; charset=utf-8"),
  /** A self-contained page without scripts. */
  HTML("text/html; charset=utf-8"),
  /** A row for each item, for analysis; see {@link #csvHeader()}. */
  CSV("text/csv; charset=utf-8");

  private static final int LONGEST_NAME = 100;

  private final String contentType;

  ExportFormat(String contentType) {
    this.contentType = contentType;
  }

  /** Its name, which is also how the names of its files end. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The format of that name, if there is one. */
  public static Optional<ExportFormat> of(String wire) {
    return Arrays.stream(values()).filter(format -> format.wire().equals(wire)).findFirst();
  }

  /** The names of all, to be shown. */
  public static String names() {
    return Arrays.stream(values()).map(ExportFormat::wire).collect(Collectors.joining(", "));
  }

  /** For the header of an answer. */
  public String contentType() {
    return contentType;
  }

  /** The session as the text of a file; CSV with its header. */
  public String write(SessionInfo info, List<Entry> entries) {
    return switch (this) {
      case JSON -> ExportedSession.of(info, entries).toJson();
      case JSONL -> {
        StringBuilder lines = new StringBuilder();
        entries.forEach(entry -> lines.append(entry.item().json()).append('\n'));
        yield lines.toString();
      }
      case MD -> TranscriptDocument.markdown(info, entries);
      case HTML -> TranscriptDocument.html(info, entries);
      case CSV -> csvHeader() + csvRows(info, entries);
    };
  }

  /** The first line of CSV: the names of the columns. */
  public static String csvHeader() {
    return CsvRows.HEADER;
  }

  /** The rows of a session, to be put below the same header as those of others. */
  public static String csvRows(SessionInfo info, List<Entry> entries) {
    return CsvRows.of(info, entries);
  }

  /**
   * A name for the file of a session: its id as far as every file system allows, made unique by a
   * digest if anything had to change.
   */
  public String fileName(String sessionId) {
    String name = sessionId.replaceAll("[^A-Za-z0-9._-]", "_").replaceFirst("^[.-]", "_");
    String cut = name.substring(0, Math.min(name.length(), LONGEST_NAME));
    return cut
        + (cut.equals(sessionId) ? "" : "-" + Sha256.hex(sessionId).substring(0, 8))
        + "."
        + wire();
  }
}
