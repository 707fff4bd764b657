package dev.clew.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.SessionStore;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Compiles and runs the Java that documents and the demo show to people. Stateless. */
public final class ShownJava {
  private ShownJava() {}

  /** Compiles statements that use a session and several modules. */
  static void compile(Path folder, String statements) throws IOException {
    Path source =
        Files.writeString(
            folder.resolve("Shown.java"),
            """
            import dev.clew.*;
            import dev.clew.agent.*;
            import dev.clew.openai.*;
            import dev.clew.tck.SessionContract;
            import java.util.List;

            public class Shown implements Runnable {
              StoredSession session;

              public void run() {
            %s
              }
            }
            """
                .formatted(statements));
    assertThat(errors(folder, source)).as(statements).isZero();
  }

  /** Compiles a file; returns 0 if that works. */
  static int errors(Path folder, Path source) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    return compiler.run(
        null,
        null,
        null,
        "-proc:none",
        "-encoding",
        "UTF-8",
        "-d",
        folder.toString(),
        "-cp",
        System.getProperty("java.class.path"),
        source.toString());
  }

  /** Runs statements that use {@code dev.clew} and lists, in a class of their own. */
  public static void run(Path folder, String statements) throws Exception {
    compile(folder, statements);
    URL[] classes = {folder.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(classes, SessionStore.class.getClassLoader())) {
      Class<?> shown = loader.loadClass("Shown");
      ((Runnable) shown.getDeclaredConstructor().newInstance()).run();
    }
  }
}
