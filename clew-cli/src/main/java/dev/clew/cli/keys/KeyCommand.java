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
    description = {
      "Creates, lists, rotates, retires and restores the keys of an encrypted " + "store.",
      "Without its keys an encrypted store cannot be read: keep a copy of them " + "elsewhere."
    },
    subcommands = {
      KeyCommand.Create.class,
      KeyCommand.ListKeys.class,
      KeyCommand.Rotate.class,
      KeyCommand.Retire.class,
      KeyCommand.Restore.class
    },
    footer = {
      "",
      "Examples:",
      "  clew key create --key file:clew.key",
      "  clew --store sqlite:safe.db --key file:clew.key key list",
      "  clew --store sqlite:safe.db --key file:clew.key key rotate",
      "  clew --store sqlite:safe.db --key file:clew.key key retire 1234567890"
    })
public final class KeyCommand {

  /** {@code clew key create}: new keys for a new store. Used once, by one thread. */
  @Command(
      name = "create",
      description = {
        "Creates a key for a new encrypted store.",
        "With --key file:PATH it is written to a new file that only you can read, "
            + "otherwise it is printed, for your vault. An existing file is never "
            + "overwritten. Does not open a store."
      },
      footer = {"", "Examples:", "  clew key create --key file:clew.key", "  clew key create"})
  static final class Create extends Action {

    @Override
    protected int run() {
      return KeyWork.create(clew);
    }
  }

  /** {@code clew key list}: the keys and how much each wraps. Used once, by one thread. */
  @Command(
      name = "list",
      description = {
        "Lists the keys, never their secrets.",
        "It shows which key is the newest, and how many owner keys each of them "
            + "wraps in the store."
      },
      footer = {"", "Examples:", "  clew --store sqlite:safe.db --key file:clew.key key list"})
  static final class ListKeys extends Action {

    @Override
    protected int run() {
      return KeyWork.list(clew);
    }
  }

  /**
   * {@code clew key rotate}: a new key, and everything wrapped with it. Used once, by one thread.
   */
  @Command(
      name = "rotate",
      description = {
        "Adds a new key and wraps the keys of all owners with it.",
        "The store stays in use meanwhile, and no item is rewritten. If interrupted, "
            + "complete it with --resume."
      },
      footer = {
        "",
        "Examples:",
        "  clew --store sqlite:safe.db --key file:clew.key key rotate",
        "  clew --store sqlite:safe.db --key file:clew.key key rotate --resume"
      })
  static final class Rotate extends Action {

    @Option(
        names = "--resume",
        description = "Complete an interrupted rotation, without adding a key.")
    boolean resume;

    @Override
    protected int run() {
      return KeyWork.rotate(clew, resume);
    }
  }

  /** {@code clew key retire}: takes an old key out of the key file. Used once, by one thread. */
  @Command(
      name = "retire",
      description = {
        "Removes a key that the store no longer needs from the key file.",
        "Other stores and backups may still need it: the old keys are kept in a file "
            + "next to the key file, from which 'clew key restore' restores the key. "
            + "Delete that file when nothing needs the key any more."
      },
      footer = {
        "",
        "Examples:",
        "  clew --store sqlite:safe.db --key file:clew.key key retire 1234567890",
        "  clew --store sqlite:safe.db --key file:clew.key key retire 1234567890 --yes"
      })
  static final class Retire extends Action {

    @Parameters(
        index = "0",
        paramLabel = "ID",
        description = "The key, as 'clew key list' shows it.")
    String id = "";

    @Mixin Consent consent = new Consent();

    @Override
    protected int run() {
      return KeyWork.retire(clew, id, consent);
    }
  }

  /** {@code clew key restore}: brings back a key that was retired. Used once, by one thread. */
  @Command(
      name = "restore",
      description = {
        "Restores a retired key to the key file.",
        "It is taken from the file that 'clew key retire' left next to the key file. "
            + "Does not open a store."
      },
      footer = {"", "Examples:", "  clew key restore 1234567890 --key file:clew.key"})
  static final class Restore extends Action {

    @Parameters(index = "0", paramLabel = "ID", description = "The key that was retired.")
    String id = "";

    @Override
    protected int run() {
      return KeyWork.restore(clew, id);
    }
  }
}
