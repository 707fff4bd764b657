package dev.clew.server.settings;

import dev.clew.agent.Model;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The models of a server, by the names they go by. Immutable. The first answers whoever names none
 * of them.
 */
public final class ServerModels {
  private record Named(Model model, List<String> names) {}

  private final List<Named> all;

  private ServerModels(List<Named> all) {
    this.all = List.copyOf(all);
  }

  static ServerModels of(Model model, String... names) {
    return new ServerModels(List.of()).and(model, names);
  }

  ServerModels and(Model model, String... names) {
    if (names.length == 0) {
      throw new IllegalArgumentException("the model needs a name");
    }
    for (String name : names) {
      if (find(name).isPresent()) {
        throw new IllegalArgumentException("two models are called '" + name + "'");
      }
    }
    List<Named> more = new ArrayList<>(all);
    more.add(new Named(model, List.of(names)));
    return new ServerModels(more);
  }

  /** The same names for what is made of the models and the first name of each. */
  ServerModels map(BiFunction<Model, String, Model> change) {
    return new ServerModels(
        all.stream()
            .map(one -> new Named(change.apply(one.model(), one.names().get(0)), one.names()))
            .toList());
  }

  /** Who answers unless somebody else is named. */
  public Model first() {
    return all.get(0).model();
  }

  /** The model of a name, else the first. */
  public Model named(String name) {
    return find(name).orElseGet(this::first);
  }

  /** The model of a name. */
  public Optional<Model> find(String name) {
    return all.stream().filter(one -> one.names().contains(name)).map(Named::model).findFirst();
  }

  /** One name for each, the first of each. */
  public List<String> choices() {
    return all.stream().map(one -> one.names().get(0)).toList();
  }

  /** All names. */
  public List<String> names() {
    return all.stream().flatMap(one -> one.names().stream()).toList();
  }
}
