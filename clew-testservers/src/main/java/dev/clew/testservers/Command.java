package dev.clew.testservers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Runs a program to its end. Stateless. */
final class Command {
  private Command() {}

  /** How a program ended and what it said, on either output, without white space around it. */
  record Result(int exit, String output) {
    boolean succeeded() {
      return exit == 0;
    }
  }

  /** A program that is not there counts as one that failed. */
  static Result run(List<String> words) {
    return run(Path.of("."), words);
  }

  /** The same in a folder. */
  static Result run(Path folder, List<String> words) {
    try {
      Process process =
          new ProcessBuilder(words).directory(folder.toFile()).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return new Result(process.waitFor(), output);
    } catch (IOException e) {
      return new Result(127, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + words.get(0) + " ran", e);
    }
  }
}
