package dev.clew.cli.session;

import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.Opening;
import dev.clew.Part;
import dev.clew.Receipt;
import dev.clew.Role;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.cli.command.ItemInput;
import dev.clew.cli.command.JsonFields;
import dev.clew.cli.command.StoreAction;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Humanize;
import dev.clew.cli.terminal.Utf8Input;
import dev.clew.kit.Family;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code clew add}: appends items to a session. Used once, by one thread. */
@Command(name = "add")
public final class AddCommand extends StoreAction {
  @Parameters(index = "0", paramLabel = "ID")
  String id = "";

  @Parameters(index = "1..*", paramLabel = "TEXT")
  List<String> text = List.of();

  @Option(names = "--role", paramLabel = "ROLE")
  Role role = Role.USER;

  @Option(names = "--item", paramLabel = "JSON")
  List<String> item = List.of();

  @Option(names = "--items", paramLabel = "FILE")
  @Nullable String items;

  @Option(names = "--operation-id", paramLabel = "NAME")
  @Nullable String operationId;

  private List<Item> batch = List.of();

  public AddCommand() {
    super(Opening.CREATE);
  }

  @Override
  protected void beforeOpening() {
    int sources = (text.isEmpty() ? 0 : 1) + (item.isEmpty() ? 0 : 1) + (items == null ? 0 : 1);
    if (sources != 1) {
      throw Failure.usage(
          sources == 0
              ? "nothing to add; give a TEXT, --item JSON or --items FILE"
              : "give one of TEXT, --item and --items; their order would be unclear");
    }
    batch = read();
    if (batch.isEmpty()) {
      throw Failure.usage("there is no item in " + (items == null ? "the input" : items));
    }
    var unused = clew.judging("--operation-id", batch, this::append);
  }

  private List<Item> read() {
    if (items != null) {
      return clew.judging(
          "--items",
          items,
          name -> ItemInput.file(Utf8Input.read(name, clew.surroundings().in()), name));
    }
    return item.isEmpty() ? List.of(message()) : clew.judging("--item", item, ItemInput::options);
  }

  private Commit append(List<Item> all) {
    Commit append = Commit.append(all);
    return operationId == null ? append : append.operationId(operationId);
  }

  private Item message() {
    String words = String.join(" ", text);
    if (words.equals("-")) {
      words = Utf8Input.read("-", clew.surroundings().in()).replaceFirst("\r?\n\\z", "");
    }
    if (words.isEmpty()) {
      throw Failure.usage("the text is empty; nothing was added");
    }
    Part part = role == Role.ASSISTANT ? Part.outputText(words) : Part.inputText(words);
    return Item.message(role, List.of(part));
  }

  @Override
  protected int run(SessionStore store) {
    SessionKey key = clew.key(id);
    new Family(store).makeCurrent(key);
    Receipt receipt = store.session(key).commit(append(batch));
    return clew.answer(JsonFields.receipt(key, batch.size(), receipt), describe(key, receipt));
  }

  private String describe(SessionKey key, Receipt receipt) {
    if (receipt.repeated()) {
      return String.format(
          "operation '%s' was done before on session %s; added nothing", operationId, key);
    }
    String place = "";
    if (receipt.firstPosition().isPresent() && receipt.lastPosition().isPresent()) {
      long first = receipt.firstPosition().getAsLong();
      long last = receipt.lastPosition().getAsLong();
      place = first == last ? " at position " + first : " at positions " + first + " to " + last;
    }
    return "added " + Humanize.count(batch.size(), "item") + " to session " + key + place;
  }
}
