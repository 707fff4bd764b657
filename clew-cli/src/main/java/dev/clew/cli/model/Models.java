package dev.clew.cli.model;

import dev.clew.ClewException;
import dev.clew.agent.Agent;
import dev.clew.agent.Model;
import dev.clew.agent.ModelProvider;
import dev.clew.cli.terminal.Failure;
import dev.clew.demo.OfflineModel;
import dev.clew.demo.ScheduleAssistant;
import dev.clew.mcptools.McpTools;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.format.TextStyle;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Who may answer in {@code clew chat}, by name. Stateless. */
public final class Models {
  public static final String OFFLINE = "offline";

  private Models() {}

  /**
   * Who answers. Immutable.
   *
   * @param model the model
   * @param agent the agent that uses it
   * @param introduction one line that says what it is
   * @param servers MCP servers whose tools the agent has
   */
  public record Chosen(Model model, Agent agent, String introduction, List<McpTools> servers) {
    /** Without MCP servers. */
    public Chosen(Model model, Agent agent, String introduction) {
      this(model, agent, introduction, List.of());
    }

    /** The same with the tools of MCP servers. */
    public Chosen with(List<McpTools> servers) {
      Agent more = agent;
      for (McpTools server : servers) {
        more = more.withTools(server);
      }
      return new Chosen(model, more, introduction, servers);
    }

    /** What the server of a tool says about it now; empty for tools that cannot change. */
    public String definition(String tool) {
      return servers.stream()
          .flatMap(server -> server.tools().stream())
          .filter(each -> each.name().equals(tool))
          .map(each -> each.spec().toString())
          .findFirst()
          .orElse("");
    }
  }

  /** The model that was named, else the one that needs neither a key nor a network. */
  public static String choose(@Nullable String option) {
    return option == null ? OFFLINE : option;
  }

  /** Those that were named, else the same one. */
  public static List<String> chooseAll(List<String> options) {
    List<String> names =
        options.stream().map(String::strip).filter(name -> !name.isEmpty()).toList();
    return names.isEmpty() ? List.of(OFFLINE) : names;
  }

  /** A model of a server, by the name that its clients know it by. */
  public static Model named(String name, Map<String, String> env) {
    return name.equals(OFFLINE) ? new OfflineModel() : open(name, env);
  }

  /** The name by which clients of a server know a model: without where it is. */
  public static String shortName(String name) {
    return name.substring(name.indexOf(':') + 1);
  }

  /** The offline model, which takes this long for a word. */
  public static Chosen offline(Clock clock, Duration pace) {
    return new Chosen(
        new OfflineModel().paced(pace),
        ScheduleAssistant.agent(clock, clock.getZone()),
        "offline demonstration model: a small grammar for a schedule, not a language model");
  }

  /**
   * A model on a server.
   *
   * @param name such as {@code openai:gpt-5.4} or {@code chat:qwen3}
   * @param instructions for the assistant; null for none of the caller's own
   * @param demo whether it is the assistant that keeps a schedule, with its tools
   */
  public static Chosen remote(
      String name,
      @Nullable String instructions,
      boolean demo,
      Map<String, String> env,
      Clock clock) {
    Model model = open(name, env);
    if (demo) {
      return new Chosen(
          model, ScheduleAssistant.agent(clock, clock.getZone()), "schedule assistant: " + model);
    }
    Agent.Builder agent = Agent.builder().name("Assistant");
    return instructions == null
        ? new Chosen(model, agent.instructions(run -> plain(clock)).build(), "assistant: " + model)
        : new Chosen(
            model,
            agent.instructions(instructions).build(),
            "assistant with your instructions: " + model);
  }

  private static String plain(Clock clock) {
    LocalDate today = LocalDate.now(clock);
    return String.format(
        "You are a helpful assistant. Today is %s, %s.",
        today.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH), today);
  }

  /** Refuses instructions for an assistant that has its own. */
  public static void checkInstructions(String name, @Nullable String instructions, boolean demo) {
    if (instructions == null) {
      return;
    }
    if (name.equals(OFFLINE)) {
      throw Failure.usage(
              "the offline model takes no --instructions; use --model openai:NAME or chat:NAME")
          .in("--instructions");
    }
    if (demo) {
      throw Failure.usage("--demo has its own instructions; leave out --demo or --instructions")
          .in("--instructions");
    }
  }

  private static Model open(String name, Map<String, String> env) {
    int colon = name.indexOf(':');
    if (colon < 0) {
      throw Failure.usage(
          "there is no model '" + name + "'; write openai:NAME, chat:NAME or offline");
    }
    String scheme = name.substring(0, colon);
    String itsName = name.substring(colon + 1);
    if (itsName.isBlank()) {
      throw Failure.usage(
          "model '" + name + "' has no name after the colon; write, for example, openai:gpt-5.4");
    }
    TreeSet<String> known = new TreeSet<>();
    for (ModelProvider provider : ServiceLoader.load(ModelProvider.class, LibFolder.loader())) {
      if (provider.scheme().equals(scheme)) {
        return open(provider, itsName, env);
      }
      known.add(provider.scheme() + ":NAME");
    }
    if (known.isEmpty()) {
      throw Failure.failed(
          "model '"
              + name
              + "' needs clew-openai, which belongs in the folder lib next to clew.jar; put "
              + "it there, or use --model offline");
    }
    throw Failure.usage(
        "there is no model '" + name + "'; write " + String.join(", ", known) + " or offline");
  }

  private static Model open(ModelProvider provider, String name, Map<String, String> env) {
    try {
      return provider.open(name, env);
    } catch (ClewException.Unauthorized e) {
      throw Failure.usage(e.getMessage() + "; or use --model offline, which needs neither");
    }
  }
}
