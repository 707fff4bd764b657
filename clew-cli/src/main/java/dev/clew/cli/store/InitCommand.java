package dev.clew.cli.store;

import dev.clew.Opening;
import dev.clew.cli.command.Action;
import dev.clew.cli.command.StoreKeys;
import dev.clew.cli.command.StoreLocation;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code clew init}: makes a store. Used once, by one thread. */
@Command(
    name = "init",
    description = {
      "Creates the store, unless it exists.",
      "Commands that write also create the store and say so; commands that read " + "never do."
    },
    footer = {
      "",
      "Examples:",
      "  clew init",
      "  clew init --store sqlite:conversations.db",
      "  clew init --store postgres://user:password@host/db",
      "  clew init --store sqlite:safe.db --key file:clew.key",
      "",
      "In a SQLite file of another program, Clew adds its tables and switches the file to WAL mode."
    })
public final class InitCommand extends Action {

  @Override
  protected int run() {
    List<String> made = new ArrayList<>();
    StoreKeys.open(() -> clew.openPlainStore(Opening.CREATE, made::add), clew.keySpec(), "--key")
        .close();
    String store = StoreLocation.forDisplay(clew.storeUrl());
    if (clew.json) {
      clew.answer(new JsonObject().put("store", store).put("made", made));
    } else if (made.isEmpty()) {
      clew.out().line("nothing to create: " + store + " exists already");
    } else {
      made.forEach(what -> clew.out().line("created " + what));
    }
    return ExitCode.OK;
  }
}
