package dev.clew.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code make bench}: measures every row, prints the figures, writes them down. Stateless. */
public final class Main {
  private static final Map<String, Row> ROWS = new LinkedHashMap<>();

  static {
    ROWS.put("append", new AppendRow());
    ROWS.put("append8", new AppendTogetherRow());
    ROWS.put("flat", new FlatRow());
    ROWS.put("tail", new TailRow());
    ROWS.put("whole", new WholeRow());
    ROWS.put("processes", new ProcessesRow());
    ROWS.put("open", new OpenRow());
    ROWS.put("sessions", new ManySessionsRow());
    ROWS.put("list", new ListRow());
    ROWS.put("memory", new MemoryRow());
    ROWS.put("search", new SearchRow());
    ROWS.put("jsonl", new JsonlRow());
    ROWS.put("crypto", new CryptoRow());
    ROWS.put("runner", new RunnerRow());
    ROWS.put("postgres", new PostgresRow());
    ROWS.put("redis", new RedisRow());
    ROWS.put("adapters", new AdapterRow());
    ROWS.put("migrate", new MigrateRow());
    ROWS.put("server", new ServerRow());
    ROWS.put("completions", new CompletionsRow());
    ROWS.put("streams", new StreamsRow());
    ROWS.put("sockets", new SocketsRow());
    ROWS.put("slow", new SlowClientsRow());
    ROWS.put("hostile", new HostileRow());
    ROWS.put("page", new PageRow());
    ROWS.put("scroll", new ScrollRow());
    ROWS.put("mcp", new McpRow());
    ROWS.put("start", new StartRow());
  }

  private Main() {}

  /** Runs the rows that the arguments ask for; {@code --help} says which there are. */
  public static void main(String[] args) throws Exception {
    Options options;
    if (List.of(args).contains("--help")) {
      System.out.printf(Options.USAGE, String.join(", ", ROWS.keySet()));
      return;
    }
    try {
      options = Options.parse(args, ROWS.keySet());
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.err.printf(Options.USAGE, String.join(", ", ROWS.keySet()));
      System.exit(2);
      return;
    }
    Path folder = Files.createTempDirectory(options.folder(), "clew-bench");
    try {
      run(options, folder);
    } finally {
      Lab.clean(folder);
      Files.deleteIfExists(folder);
    }
  }

  private static void run(Options options, Path folder) throws Exception {
    Map<String, String> machine = Machine.describe(folder);
    machine.forEach((name, value) -> System.out.println(name + ": " + value));
    Lab lab = new Lab(folder, options, System.out);
    long start = System.nanoTime();
    for (Map.Entry<String, Row> row : ROWS.entrySet()) {
      if (options.wants(row.getKey())) {
        long before = System.nanoTime();
        System.out.println(row.getKey());
        row.getValue().measure(lab);
        lab.clean();
        System.out.println("  " + seconds(before) + " s");
      }
    }
    System.out.println("\n" + Report.markdown(machine, lab.figures()));
    System.out.println("took " + seconds(start) + " s");
    if (options.whole()) {
      Report.write(options.document(), Report.markdown(machine, lab.figures()));
      System.out.println("written to " + options.document());
    }
  }

  private static String seconds(long since) {
    return Samples.number((System.nanoTime() - since) / 1e9);
  }
}
