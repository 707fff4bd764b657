package dev.clew.cli.keys;

import dev.clew.cli.command.Action;
import dev.clew.cli.command.Consent;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code clew key}: the name before the commands about keys. Stateless. */
@Command(
    name = "key",
    subcommands = {
      KeyCommand.Create.class,
      KeyCommand.ListKeys.class,
      KeyCommand.Rotate.class,
      KeyCommand.Retire.class,
      KeyCommand.Restore.class
    })
public final class KeyCommand {

  /** {@code clew key create}: new keys for a new store. Used once, by one thread. */
  @Command(name = "create")
  static final class Create extends Action {

    @Override
    protected int run() {
      return KeyWork.create(clew);
    }
  }

  /** {@code clew key list}: the keys and how much each wraps. Used once, by one thread. */
  @Command(name = "list")
  static final class ListKeys extends Action {

    @Override
    protected int run() {
      return KeyWork.list(clew);
    }
  }

  /**
   * {@code clew key rotate}: a new key, and everything wrapped with it. Used once, by one thread.
   */
  @Command(name = "rotate")
  static final class Rotate extends Action {

    @Option(names = "--resume")
    boolean resume;

    @Override
    protected int run() {
      return KeyWork.rotate(clew, resume);
    }
  }

  /** {@code clew key retire}: takes an old key out of the key file. Used once, by one thread. */
  @Command(name = "retire")
  static final class Retire extends Action {

    @Parameters(index = "0", paramLabel = "ID")
    String id = "";

    @Mixin Consent consent = new Consent();

    @Override
    protected int run() {
      return KeyWork.retire(clew, id, consent);
    }
  }

  /** {@code clew key restore}: brings back a key that was retired. Used once, by one thread. */
  @Command(name = "restore")
  static final class Restore extends Action {

    @Parameters(index = "0", paramLabel = "ID")
    String id = "";

    @Override
    protected int run() {
      return KeyWork.restore(clew, id);
    }
  }
}
