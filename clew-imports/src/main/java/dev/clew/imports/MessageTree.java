package dev.clew.imports;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a conversation that has several branches, because of edits or repeated answers.
 * Not thread-safe. What is cut off from the beginning, or leads round in a circle, ends there.
 */
final class MessageTree {
  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private final Set<String> parents = new HashSet<>();

  /** A message and what it answers. */
  record Node(String id, @Nullable String parent, Fields message) {}

  void add(String id, @Nullable String parent, Fields message) {
    nodes.put(id, new Node(id, parent, message));
    if (parent != null) {
      parents.add(parent);
    }
  }

  boolean has(String id) {
    return nodes.containsKey(id);
  }

  /** The last message of each branch, in the order of the source. */
  List<Node> leaves() {
    return nodes.values().stream().filter(node -> !parents.contains(node.id())).toList();
  }

  /** The messages up to one, oldest first. */
  List<Node> path(String leaf) {
    List<Node> path = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    Optional<Node> node = Optional.ofNullable(nodes.get(leaf));
    while (node.isPresent() && seen.add(node.get().id())) {
      path.add(node.get());
      node = Optional.ofNullable(node.get().parent()).map(nodes::get);
    }
    Collections.reverse(path);
    return path;
  }
}
