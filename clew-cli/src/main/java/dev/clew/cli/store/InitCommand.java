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
@Command(name = "init")
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
