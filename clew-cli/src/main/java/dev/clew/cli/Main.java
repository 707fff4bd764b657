package dev.clew.cli;

import dev.clew.Opening;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.cli.command.Action;
import dev.clew.cli.command.Clew;
import dev.clew.cli.command.ErrorReport;
import dev.clew.cli.command.Version;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Output;
import dev.clew.cli.terminal.Surroundings;
import dev.clew.cli.terminal.SystemTerminal;
import dev.clew.cli.terminal.Terminal;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Where the {@code clew} command starts. Stateless. */
public final class Main {
  private Main() {}

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] args) {
    Map<String, String> env = System.getenv();
    int code =
        run(
            Arguments.asTyped(args),
            System.in,
            new FileOutputStream(FileDescriptor.out),
            new FileOutputStream(FileDescriptor.err),
            env,
            SystemTerminal.of(env));
    System.exit(code);
  }

  static int run(
      String[] args,
      InputStream in,
      OutputStream out,
      OutputStream err,
      Map<String, String> env,
      Terminal terminal) {
    return run(args, in, out, err, env, terminal, Stores::open);
  }

  static int run(
      String[] args,
      InputStream in,
      OutputStream out,
      OutputStream err,
      Map<String, String> env,
      Terminal terminal,
      BiFunction<String, Opening, SessionStore> stores) {
    Clew clew =
        new Clew(new Surroundings(in, new Output(out), new Output(err), env, terminal, stores));
    try {
      try {
        int code = execute(clew, args);
        clew.out().flush();
        return code;
      } catch (RuntimeException e) {
        if (e instanceof Output.ReaderGone) {
          throw e;
        }
        return report(clew, e, Arrays.asList(args));
      } finally {
        clew.surroundings().err().flush();
      }
    } catch (Output.ReaderGone e) {
      return ExitCode.READER_GONE;
    }
  }

  private static int execute(Clew clew, String[] args) {
    ParseResult parsed = CommandTree.parse(clew, args);
    List<CommandLine> chain = parsed.asCommandLineList();
    CommandLine chosen = chain.get(chain.size() - 1);
    if (clew.help) {
      if (!chosen.getUnmatchedArguments().isEmpty()) {
        throw new UnmatchedArgumentException(chosen, chosen.getUnmatchedArguments());
      }
      clew.out().print(clew.helpOf(chosen));
      return ExitCode.OK;
    }
    if (clew.version) {
      clew.out().line(String.join("\n", new Version().getVersion()));
      return ExitCode.OK;
    }
    if (chosen.getCommand() instanceof Action action) {
      return action.run(clew);
    }
    clew.surroundings().err().print(clew.helpOf(chosen));
    return ExitCode.USAGE;
  }

  /** Tells an error on standard error; what was answered before it still arrives. */
  private static int report(Clew clew, RuntimeException e, List<String> args) {
    Output err = clew.surroundings().err();
    boolean json = clew.json || args.contains("--json");
    ErrorReport report =
        e instanceof ParameterException wrong ? CommandTree.explain(wrong) : ErrorReport.of(e);
    ErrorReport located =
        clew.placeOf(e)
            .map(place -> new ErrorReport(report.exitCode(), place + ": " + report.message()))
            .orElse(report);
    try {
      clew.out().flush();
    } catch (Failure unwritten) {
      // This is the error being told, or it matters less than that one.
    }
    located.calling(clew.program()).print(err, clew.paint(), json);
    if (clew.surroundings().env().getOrDefault("CLEW_DEBUG", "").equals("1")) {
      err.print(ErrorReport.trace(e));
    }
    return located.exitCode();
  }
}
