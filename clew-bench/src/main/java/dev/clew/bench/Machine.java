package dev.clew.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the figures were measured on. Stateless. */
final class Machine {
  private Machine() {}

  static Map<String, String> describe(Path folder) throws IOException, SQLException {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("date", LocalDate.now(ZoneOffset.UTC).toString());
    facts.put(
        "processor",
        Runtime.getRuntime().availableProcessors() + " cores, " + line("cpuinfo", "model name"));
    facts.put("memory", memory());
    facts.put(
        "system",
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + " "
            + System.getProperty("os.arch"));
    facts.put("file system", Files.getFileStore(folder).type());
    facts.put(
        "JDK", System.getProperty("java.vendor") + " " + System.getProperty("java.vm.version"));
    facts.put("SQLite", sqlite());
    facts.put("load average at the start", load());
    return facts;
  }

  private static String memory() throws IOException {
    String kib = line("meminfo", "MemTotal").replaceAll("\\D", "");
    return kib.isEmpty()
        ? "unknown"
        : String.format(Locale.ROOT, "%.0f GiB", Long.parseLong(kib) / (double) (1 << 20));
  }

  /** The value of a line in a file of the kernel's, or "unknown" on other systems. */
  private static String line(String file, String name) throws IOException {
    Path path = Path.of("/proc", file);
    List<String> lines = Files.isReadable(path) ? Files.readAllLines(path) : List.of();
    return lines.stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("unknown");
  }

  private static String sqlite() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:");
        Statement statement = connection.createStatement();
        var row = statement.executeQuery("SELECT sqlite_version()")) {
      return row.getString(1)
          + " (sqlite-jdbc "
          + connection.getMetaData().getDriverVersion()
          + "), WAL, synchronous=FULL";
    }
  }

  private static String load() {
    double load =
        java.lang.management.ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    return Samples.number(load);
  }
}
