package dev.clew.imports;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/** The formats that this class path knows. Stateless and thread-safe. */
public final class ImportFormats {
  private ImportFormats() {}

  /** All of them: those of the core, then those of the stores. */
  public static List<ImportFormat> all() {
    List<ImportFormat> all =
        new ArrayList<>(
            List.of(
                new ChatGptFormat(),
                new LibreChatFormat(),
                new OpenWebUiFormat(),
                new LangChain4jFormat(),
                new AgentsSqliteFormat(),
                new SpringAiFormat(),
                new JsonlFormat()));
    ServiceLoader.load(ImportFormat.class).forEach(all::add);
    return all;
  }

  /**
   * The format of a name.
   *
   * @throws BadSource naming those there are
   */
  public static ImportFormat named(String name) {
    return all().stream()
        .filter(format -> format.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new BadSource("there is no format '" + name + "'; there are " + names()));
  }

  /** The format that a source looks like. */
  public static Optional<ImportFormat> of(String source) {
    return all().stream().filter(format -> format.recognises(source)).findFirst();
  }

  /**
   * The format of a document that is here as a text: an export of ChatGPT, LibreChat or Open WebUI.
   * What it opens is that text, whatever the source is called.
   */
  public static Optional<ImportFormat> ofText(String text) {
    Map<String, JsonFormat> marks =
        Map.of(
            "\"mapping\"", new ChatGptFormat(),
            "\"conversationId\"", new LibreChatFormat(),
            "\"history\"", new OpenWebUiFormat());
    return marks.entrySet().stream()
        .filter(mark -> text.contains(mark.getKey())) // most texts are none, and need no parsing
        .<ImportFormat>map(mark -> new TextSource(mark.getValue(), text))
        .filter(format -> format.recognises("text"))
        .findFirst();
  }

  /** The names of all, to be shown. */
  public static String names() {
    return String.join(", ", all().stream().map(ImportFormat::name).toList());
  }
}
