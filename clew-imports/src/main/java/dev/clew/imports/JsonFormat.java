package dev.clew.imports;

import dev.clew.imports.SourceFiles.SourceFile;
import dev.clew.json.Json;
import dev.clew.json.JsonElements;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A format of JSON documents: an array of conversations, or one of them. Thread-safe. A document
 * may be of any size; it is read one element at a time.
 */
abstract class JsonFormat implements ImportFormat {
  /** An element of more chars is a loss. */
  static final int MOST_CHARS = 32 << 20;

  private static final int MAX_DEPTH = 1000;
  private static final int ELEMENTS_LOOKED_AT = 5;

  private final String name;
  private final Pattern files;

  JsonFormat(String name, String files) {
    this.name = name;
    this.files = Pattern.compile(files);
  }

  @Override
  public final String name() {
    return name;
  }

  /** Whether an element of a document is one of this format. */
  abstract boolean fits(Fields element);

  /** Begins to turn the elements of a source into conversations. */
  abstract Conversion conversion(SourceFiles source, Losses losses);

  /** Turns elements into conversations. Not thread-safe. */
  interface Conversion {
    /** The conversations in an element that fits. */
    List<Conversation> element(Fields element, String place);

    /** The conversation whose messages the elements of a file were, where files are that. */
    default Optional<Conversation> endOfFile(String file) {
      return Optional.empty();
    }
  }

  @Override
  public final boolean recognises(String source) {
    try {
      return SourceFiles.path(source).isPresent() && recognises(SourceFiles.of(source, files));
    } catch (IOException | BadSource e) {
      return false;
    }
  }

  /** Whether one of the first elements fits; closes the files. */
  final boolean recognises(SourceFiles source) {
    try (SourceFiles found = source;
        InputStream in = found.files().get(0).opening().open();
        JsonElements elements = new JsonElements(in, MOST_CHARS, MAX_DEPTH)) {
      for (int i = 0; i < ELEMENTS_LOOKED_AT; i++) {
        JsonElements.Element element = elements.next();
        if (element == null) {
          return false;
        }
        if (element.text() != null && fits(Fields.of(Json.read(element.text())))) {
          return true;
        }
      }
      return false;
    } catch (Json.Malformed e) {
      return source.areInZip(); // its name says what it is; reading it reports the error
    } catch (IOException | IllegalArgumentException e) {
      return false;
    }
  }

  @Override
  public final ConversationReader open(String source, Losses losses) throws IOException {
    return open(SourceFiles.of(source, files), losses);
  }

  /** The conversations in some files. */
  final ConversationReader open(SourceFiles source, Losses losses) {
    return new Reader(source, losses);
  }

  /** Reads the files of a source. */
  final class Reader implements ConversationReader {
    private final SourceFiles source;
    private final Losses losses;
    private final Conversion conversion;
    private final Iterator<SourceFile> rest;
    private final Deque<Conversation> ready = new ArrayDeque<>();
    private @Nullable JsonElements elements;
    private String file = "";
    private long before;
    private long fitting;
    private long strange;

    Reader(SourceFiles source, Losses losses) {
      this.source = source;
      this.losses = losses;
      this.conversion = conversion(source, losses);
      this.rest = source.files().iterator();
    }

    @Override
    public Optional<Conversation> next() throws IOException {
      while (ready.isEmpty()) {
        JsonElements open = elements;
        if (open == null) {
          if (!rest.hasNext()) {
            return Optional.empty();
          }
          begin(rest.next());
        } else {
          JsonElements.Element element = element(open);
          if (element == null) {
            end(open);
          } else {
            convert(element);
          }
        }
      }
      return Optional.of(ready.remove());
    }

    private void begin(SourceFile next) throws IOException {
      file = next.name();
      fitting = 0;
      strange = 0;
      elements = new JsonElements(next.opening().open(), MOST_CHARS, MAX_DEPTH);
    }

    private JsonElements.@Nullable Element element(JsonElements open) throws IOException {
      try {
        return open.next();
      } catch (Json.Malformed e) {
        throw new BadSource(
            "'" + file + "' is cut off or no JSON: " + e.getMessage() + "; nothing was written");
      }
    }

    private void convert(JsonElements.Element element) {
      String place = file + ", line " + element.line() + ", element " + (element.index() + 1);
      if (element.text() == null) {
        fitting++;
        losses.add(place, "a conversation of more than " + (MOST_CHARS >> 20) + " MiB");
        return;
      }
      losses.nextConversation();
      Fields fields;
      try {
        fields = Fields.of(Json.read(element.text()));
      } catch (IllegalArgumentException e) {
        throw new BadSource(place + ": " + e.getMessage() + "; nothing was written");
      }
      if (fits(fields)) {
        fitting++;
        ready.addAll(conversion.element(fields, place));
      } else {
        strange++;
        losses.add(place, "it is nothing that " + name + " writes");
      }
    }

    private void end(JsonElements open) throws IOException {
      if (fitting == 0 && strange > 0) {
        throw new BadSource(
            "'" + file + "' has nothing that " + name + " writes; nothing was written");
      }
      conversion.endOfFile(file).ifPresent(ready::add);
      before += open.bytesRead();
      open.close();
      elements = null;
    }

    @Override
    public long read() {
      return before + (elements == null ? 0 : elements.bytesRead());
    }

    @Override
    public long size() {
      return source.files().stream().mapToLong(SourceFile::size).sum();
    }

    @Override
    public String units() {
      return "bytes";
    }

    @Override
    public void close() throws IOException {
      if (elements != null) {
        elements.close();
      }
      source.close();
    }
  }
}
