package dev.clew.server.settings;

import dev.clew.agent.Model;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiFunction;

/**
 * The models of a server and their names. Immutable. Requests that name none of them use the first.
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
      throw new IllegalArgumentException("the model must have a name");
    }
    for (String name : names) {
      if (find(name).isPresent()) {
        throw new IllegalArgumentException("two models have the name '" + name + "'");
      }
    }
    List<Named> more = new ArrayList<>(all);
    more.add(new Named(model, List.of(names)));
    return new ServerModels(more);
  }

  ServerModels map(BiFunction<Model, String, Model> change) {
    return new ServerModels(
        all.stream()
            .map(one -> new Named(change.apply(one.model(), one.names().get(0)), one.names()))
            .toList());
  }

  /** The default model. */
  public Model first() {
    return all.get(0).model();
  }

  /** The model with this name, else the default. */
  public Model named(String name) {
    return find(name).orElseGet(this::first);
  }

  /** The first name of the model with this name, else of the default. */
  public String choice(String name) {
    return all.stream()
        .filter(one -> one.names().contains(name))
        .findFirst()
        .orElse(all.get(0))
        .names()
        .get(0);
  }

  public Optional<Model> find(String name) {
    return all.stream().filter(one -> one.names().contains(name)).map(Named::model).findFirst();
  }

  /** The first name of each model. */
  public List<String> choices() {
    return all.stream().map(one -> one.names().get(0)).toList();
  }

  /** The fewest tokens that one of the models is known to take. It may ask their servers. */
  public OptionalLong contextTokens() {
    return all.stream().flatMapToLong(one -> one.model().contextTokens().stream()).min();
  }

  public List<String> names() {
    return all.stream().flatMap(one -> one.names().stream()).toList();
  }
}
