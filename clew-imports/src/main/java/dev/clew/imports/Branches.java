package dev.clew.imports;

import dev.clew.Draft;
import dev.clew.SessionUpdate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Makes a conversation of each branch of a tree. Stateless.
 *
 * <p>The current branch has the id of the conversation. Each other one is a session of its own with
 * all that leads to it, named after the conversation and its last message, so that it has the same
 * name in a later export.
 */
final class Branches {
  /** More of them are a loss: each repeats what it has in common with the others. */
  private static final int MOST = 100;

  private Branches() {}

  /**
   * @param named the last message of the current branch, as far as the source says
   * @param messages makes what adds a message, which is at a place, to the drafts of a branch
   */
  static List<Conversation> of(
      MessageTree tree,
      Optional<String> named,
      Conversation about,
      Losses losses,
      Function<Drafts, BiConsumer<Fields, String>> messages) {
    Optional<String> current = current(tree, named);
    if (current.isEmpty()) {
      return List.of(about);
    }
    List<Conversation> all = new ArrayList<>();
    Set<List<Draft>> known = new HashSet<>();
    List<Draft> main = drafts(tree.path(current.get()), about, new Drafts(losses), messages);
    all.add(new Conversation(about.id(), about.place(), about.description(), main));
    known.add(main);
    for (MessageTree.Node leaf : tree.leaves()) {
      if (leaf.id().equals(current.get())) {
        continue;
      }
      if (all.size() > MOST) {
        losses.add(about.place(), "a branch beyond the first " + MOST + " of a conversation");
        continue;
      }
      List<Draft> drafts = drafts(tree.path(leaf.id()), about, new Drafts(losses), messages);
      boolean begins =
          drafts.size() <= main.size() && main.subList(0, drafts.size()).equals(drafts);
      if (!begins && known.add(drafts)) {
        all.add(branch(about, leaf.id(), drafts, shared(main, drafts)));
      }
    }
    return all;
  }

  private static List<Draft> drafts(
      List<MessageTree.Node> path,
      Conversation about,
      Drafts drafts,
      Function<Drafts, BiConsumer<Fields, String>> messages) {
    BiConsumer<Fields, String> each = messages.apply(drafts);
    for (MessageTree.Node node : path) {
      each.accept(node.message(), about.place() + ", message '" + node.id() + "'");
    }
    return drafts.all();
  }

  private static int shared(List<Draft> main, List<Draft> drafts) {
    int same = 0;
    while (same < Math.min(main.size(), drafts.size()) && main.get(same).equals(drafts.get(same))) {
      same++;
    }
    return same;
  }

  private static Conversation branch(
      Conversation about, String leaf, List<Draft> drafts, int shared) {
    Map<String, Object> metadata =
        new LinkedHashMap<>(about.description().metadata().orElse(Map.of()));
    metadata.put("branch_of", Map.of("id", about.id(), "shared_items", shared));
    String title = about.description().title().orElse("");
    SessionUpdate description =
        about.description().title((title + " (branch)").strip()).metadata(metadata).pinned(false);
    return new Conversation(about.id() + "~" + leaf, about.place(), description, drafts);
  }

  /** The first of some names that is a message of the tree, else the last message there is. */
  private static Optional<String> current(MessageTree tree, Optional<String> named) {
    if (named.filter(tree::has).isPresent()) {
      return named;
    }
    List<MessageTree.Node> leaves = tree.leaves();
    return leaves.isEmpty() ? Optional.empty() : Optional.of(leaves.get(leaves.size() - 1).id());
  }
}
