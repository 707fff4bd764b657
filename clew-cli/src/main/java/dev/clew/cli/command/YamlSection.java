package dev.clew.cli.command;

import dev.clew.cli.terminal.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Names and values of a YAML file, or of a part of it, which know their lines. Immutable. */
final class YamlSection {
  /** More than a configuration can be. */
  private static final long MOST_BYTES = 1 << 20;

  private final Path path;
  private final Map<String, NodeTuple> entries = new LinkedHashMap<>();

  private YamlSection(Path path, @Nullable Node node) {
    this.path = path;
    if (node == null || isEmpty(node)) {
      return;
    }
    if (!(node instanceof MappingNode mapping)) {
      throw wrong(node, "write names and values, as in 'port: 8787'");
    }
    for (NodeTuple entry : mapping.getValue()) {
      if (!(entry.getKeyNode() instanceof ScalarNode key)) {
        throw wrong(entry.getKeyNode(), "a name must be a plain word");
      }
      if (entries.put(key.getValue(), entry) != null) {
        throw wrong(key, "'" + key.getValue() + "' is given twice");
      }
    }
  }

  static YamlSection read(Path path) throws IOException {
    if (Files.size(path) > MOST_BYTES) {
      throw Failure.usage(path + " is larger than 1 MiB, too large for a configuration file");
    }
    String text = Files.readString(path, StandardCharsets.UTF_8);
    LoadSettings settings = LoadSettings.builder().setLabel(path.toString()).build();
    try {
      return new YamlSection(path, new Compose(settings).composeString(text).orElse(null));
    } catch (MarkedYamlEngineException e) {
      throw wrong(path, e.getProblemMark().orElse(null), e.getProblem());
    } catch (YamlEngineException e) {
      throw wrong(path, null, String.valueOf(e.getMessage()));
    }
  }

  Set<String> names() {
    return entries.keySet();
  }

  /** Whether there are names below this one; {@code key} is a command and an option. */
  boolean hasSection(String name) {
    NodeTuple entry = entries.get(name);
    return entry != null && entry.getValueNode() instanceof MappingNode;
  }

  /** What is below this name. */
  YamlSection section(String name) {
    return new YamlSection(path, entry(name).getValueNode());
  }

  /** A value with the file and the line where it is. */
  record Value(String text, String place) {}

  /** The value of this name, or the values of its list. */
  List<Value> values(String name) {
    Node node = entry(name).getValueNode();
    return node instanceof SequenceNode list
        ? list.getValue().stream()
            .map(item -> new Value(value(item), place(path, item.getStartMark().orElse(null))))
            .toList()
        : List.of(new Value(value(node), place(name)));
  }

  /** The file and the line of this name. */
  String place(String name) {
    return place(path, entry(name).getKeyNode().getStartMark().orElse(null));
  }

  /** What is wrong about this name. */
  Failure wrong(String name, String problem) {
    return wrong(entry(name).getKeyNode(), problem);
  }

  private NodeTuple entry(String name) {
    NodeTuple entry = entries.get(name);
    if (entry == null) {
      throw new IllegalArgumentException(name);
    }
    return entry;
  }

  private String value(Node node) {
    if (node instanceof ScalarNode scalar && !isEmpty(node)) {
      return scalar.getValue();
    }
    throw wrong(node, "expected a string, a number, true or false, or a list of those");
  }

  private static boolean isEmpty(Node node) {
    return node instanceof ScalarNode scalar && scalar.getValue().isEmpty();
  }

  private Failure wrong(Node node, String problem) {
    return wrong(path, node.getStartMark().orElse(null), problem);
  }

  private static Failure wrong(Path path, @Nullable Mark mark, String problem) {
    return Failure.usage(place(path, mark) + ": " + problem);
  }

  private static String place(Path path, @Nullable Mark mark) {
    return mark == null ? path.toString() : path + ", line " + (mark.getLine() + 1);
  }
}
