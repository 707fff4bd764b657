package dev.clew.server.internal.conversations;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.View;
import dev.clew.Window;
import dev.clew.json.JsonObject;
import dev.clew.kit.BoundedPage;
import dev.clew.kit.Family;
import dev.clew.kit.SessionChange;
import dev.clew.kit.Sha256;
import dev.clew.server.internal.completions.SaidBefore;
import dev.clew.server.internal.describe.FirstTitle;
import dev.clew.server.internal.describe.ServerMetadata;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.runs.Titles;
import dev.clew.server.internal.wire.ConversationIds;
import dev.clew.server.internal.wire.GivenItems;
import dev.clew.server.internal.wire.Includes;
import dev.clew.server.internal.wire.ItemPlaces;
import dev.clew.server.internal.wire.Metadata;
import dev.clew.server.internal.wire.WireItems;
import dev.clew.server.internal.wire.WirePage;
import dev.clew.server.operate.Scope;
import dev.clew.spi.AsyncCommits;
import dev.clew.spi.PositionedItems;
import dev.clew.spi.RecentItems;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/** OpenAI's Conversations API over the sessions of a store. Thread-safe. */
public final class ConversationsApi {
  private static final String ONE = "/v1/conversations/{conversation_id}";
  private static final int PAGE = 20;
  private static final int MAX_PAGE = 100;

  private final SessionStore store;
  private final RecentItems recent;
  private final ItemPlaces places;
  private final ShownItems shown = new ShownItems();
  private final ContinuedBranches branches;
  private final Titles titles;
  private final Consumer<SessionKey> gone;
  private final boolean strict;

  /**
   * The API of a store.
   *
   * @param gone called for each deleted conversation
   */
  public ConversationsApi(
      SessionStore store, Titles titles, Consumer<SessionKey> gone, boolean strict) {
    this.gone = gone;
    this.store = store;
    this.recent = store.feature(RecentItems.class).orElseThrow();
    this.titles = titles;
    this.places = new ItemPlaces(store);
    this.branches = new ContinuedBranches(store);
    this.strict = strict;
  }

  private Fields fields(Call call, Set<String> known) {
    return Fields.of(call, strict, known);
  }

  private List<Item> items(Optional<String> given) {
    return given
        .map(array -> GivenItems.read("items", array, GivenItems.most(strict), strict))
        .orElse(List.of());
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/v1/conversations", Scope.READ, "Lists conversations (extension).", this::list),
        Route.post("/v1/conversations", Scope.WRITE, "Creates a conversation.", this::create)
            .taking(Route.LARGE_BODY),
        Route.get(ONE, Scope.READ, "Retrieves a conversation.", this::retrieve),
        Route.post(ONE, Scope.WRITE, "Replaces a conversation's metadata.", this::update),
        Route.delete(ONE, Scope.WRITE, "Deletes a conversation.", this::delete),
        Route.post(ONE + "/items", Scope.WRITE, "Adds items.", this::addItems)
            .taking(Route.LARGE_BODY)
            .waiting(
                store.feature(AsyncCommits.class).isPresent()
                    ? Route.Waits.NEVER
                    : Route.Waits.BRIEFLY),
        Route.get(ONE + "/items", Scope.READ, "Lists items.", this::listItems),
        Route.get(ONE + "/items/{item_id}", Scope.READ, "Retrieves an item.", this::retrieveItem),
        Route.delete(ONE + "/items/{item_id}", Scope.WRITE, "Deletes an item.", this::deleteItem));
  }

  private void list(Call call) {
    ConversationList.Page page = new ConversationList(store).read(call);
    List<String> ids =
        page.conversations().stream().map(info -> ConversationIds.toWire(info.key().id())).toList();
    call.reply(
        new JsonObject()
            .put("object", "list")
            .putAll(
                "data", page.conversations().stream().map(ConversationsApi::conversation).toList())
            .put("first_id", ids.isEmpty() ? "" : ids.get(0))
            .put("last_id", ids.isEmpty() ? "" : ids.get(ids.size() - 1))
            .put("has_more", page.hasMore())
            .put("next_cursor", page.next().orElse(null)));
  }

  private void create(Call call) {
    Fields fields = fields(call, Set.of("items", "metadata"));
    Map<String, String> metadata = Metadata.read(fields.rawOr("metadata", "null"));
    List<Item> items = items(fields.raw("items"));
    SessionKey key = new SessionKey(call.owner(), ConversationIds.newId());
    SessionInfo info =
        store.session(key).update(FirstTitle.with(ServerMetadata.NOTHING, metadata, items));
    if (!items.isEmpty()) {
      store.session(key).commit(Commit.append(items));
    }
    call.reply(conversation(info));
  }

  private void retrieve(Call call) {
    call.reply(conversation(info(call)));
  }

  private void update(Call call) {
    SessionKey key = info(call).key();
    Map<String, String> given =
        Metadata.read(
            fields(call, Set.of("metadata"))
                .given("metadata")
                .orElseThrow(() -> Problem.missing("metadata")));
    SessionInfo after =
        SessionChange.change(
                store.session(key),
                info ->
                    Optional.of(SessionUpdate.none().metadata(ServerMetadata.of(info).with(given))))
            .orElseThrow(() -> ConversationIds.notFound(call.path("conversation_id")));
    call.reply(conversation(after));
  }

  private void delete(Call call) {
    String id = call.path("conversation_id");
    boolean was = false;
    for (SessionKey branch : new Family(store).toDelete(key(call))) {
      Runnable saidBefore = SaidBefore.of(store, branch);
      was |= store.session(branch).delete();
      gone.accept(branch);
      saidBefore.run();
    }
    if (!was) {
      throw ConversationIds.notFound(id);
    }
    call.reply(
        new JsonObject().put("id", id).put("object", "conversation.deleted").put("deleted", true));
  }

  private void addItems(Call call) {
    SessionKey key = key(call);
    Includes.check(call.queryAll("include"), strict);
    Optional<String> given = fields(call, Set.of("items")).given("items");
    List<Item> items = items(given);
    Optional<String> once = call.idempotencyKey().map(Sha256::hex);
    if (items.isEmpty()) {
      call.replyBytesLater(call.aside(() -> addNothing(call, given)));
    } else if (items.stream().allMatch(item -> item.id().isEmpty())) {
      call.replyBytesLater(add(call, key, items, once));
    } else {
      call.replyBytesLater(
          call.aside(
              () -> {
                checkNew(key, items);
                return add(call, key, items, once);
              }));
    }
  }

  private CompletableFuture<byte[]> addNothing(Call call, Optional<String> given) {
    info(call); // a missing conversation is the greater fault
    if (given.isEmpty()) {
      throw Problem.missing("items");
    }
    return CompletableFuture.completedFuture(new WirePage().json(false));
  }

  private void checkNew(SessionKey key, List<Item> items) {
    for (Item item : items) {
      if (item.id().isPresent() && store.session(key).find(item.id().get()).isPresent()) {
        throw Problem.invalid(
            "invalid_value",
            "items",
            "Item with id '" + item.id().get() + "' is in the conversation already.");
      }
    }
  }

  private CompletableFuture<byte[]> add(
      Call call, SessionKey key, List<Item> items, Optional<String> once) {
    Commit append = Commit.append(items).expectExisting();
    CompletableFuture<Receipt> applied =
        store.session(key).commitAsync(once.isPresent() ? append.operationId(once.get()) : append);
    return applied
        .handle((receipt, failure) -> failure == null && isOf(receipt, items))
        .thenComposeAsync(
            added -> {
              if (!added) {
                return call.aside(() -> addedBeforeOrNotAtAll(call, key, items, applied));
              }
              Receipt receipt = applied.join();
              if (branches.isCurrent(key, receipt)) {
                return CompletableFuture.completedFuture(added(key, items, receipt));
              }
              return call.aside(
                  () -> {
                    branches.makeCurrent(key);
                    return CompletableFuture.completedFuture(added(key, items, receipt));
                  });
            },
            call.reader());
  }

  /** Whether the receipt is for exactly these items. */
  private static boolean isOf(Receipt receipt, List<Item> items) {
    long count = receipt.lastPosition().orElse(-1) - receipt.firstPosition().orElse(0) + 1;
    return !receipt.repeated() && count == items.size();
  }

  private byte[] added(SessionKey key, List<Item> items, Receipt receipt) {
    if (!titles.isSettled(key) && items.stream().anyMatch(Window::startsTurn)) {
      titles.said(key);
    }
    WirePage page = new WirePage();
    long first = receipt.firstPosition().orElseThrow();
    for (int i = 0; i < items.size(); i++) {
      page.add(WireItems.json(items.get(i), first + i));
    }
    page.between(
        WireItems.id(items.get(0), first),
        WireItems.id(items.get(items.size() - 1), first + items.size() - 1));
    return page.json(false);
  }

  private CompletableFuture<byte[]> addedBeforeOrNotAtAll(
      Call call, SessionKey key, List<Item> items, CompletableFuture<Receipt> applied) {
    try {
      long first = applied.join().firstPosition().orElseThrow();
      List<Entry> entries =
          store.session(key).entries(Range.after(first - 1, items.size())).entries();
      return CompletableFuture.completedFuture(WirePage.of(entries).json(false));
    } catch (CompletionException e) {
      if (e.getCause() instanceof ClewException.VersionConflict) {
        info(call); // it exists, so something else is wrong
      }
      throw e;
    }
  }

  private void listItems(Call call) {
    SessionKey key = key(call);
    int limit;
    boolean backward;
    try {
      Includes.check(call.queryAll("include"), strict);
      limit = call.query("limit", PAGE, 1, MAX_PAGE);
      backward = WirePage.backward(call);
    } catch (Problem e) {
      info(call); // a missing conversation is the greater fault
      throw e;
    }
    Optional<String> after = call.queryText("after");
    SessionInfo info = info(call); // before its items are searched
    if (after.isEmpty() && backward && info.bytes() <= BoundedPage.MOST_BYTES) {
      newest(call, key, limit);
      return;
    }
    OptionalLong cursor =
        after.isPresent() ? OptionalLong.of(places.at(key, after.get())) : OptionalLong.empty();
    call.needs(BoundedPage.estimate(info, limit));
    EntryPage page = BoundedPage.read(store, info, new Range(cursor, backward, limit, false));
    List<Entry> entries = new ArrayList<>(page.entries());
    if (backward) {
      Collections.reverse(entries);
    }
    call.replyJson(WirePage.of(entries).json(page.hasMore()));
  }

  /** The most common request, for items that stores have in memory. */
  private void newest(Call call, SessionKey key, int limit) {
    PositionedItems newest = recent.newest(key, limit + 1);
    WirePage page = new WirePage();
    int last = newest.size() - 1;
    int oldest = Math.max(0, newest.size() - limit);
    for (int i = last; i >= oldest; i--) {
      page.add(shown.json(newest.items().get(i), newest.position(i)));
    }
    if (last >= 0) {
      page.between(id(newest, last), id(newest, oldest));
    }
    call.replyJson(page.json(oldest > 0));
  }

  private static String id(PositionedItems items, int index) {
    return WireItems.id(items.items().get(index), items.position(index));
  }

  private void retrieveItem(Call call) {
    SessionKey key = info(call).key();
    Includes.check(call.queryAll("include"), strict);
    String id = call.path("item_id");
    Entry entry = places.find(key, id).orElseThrow(() -> noItem(id));
    call.replyJson(WireItems.json(entry));
  }

  private void deleteItem(Call call) {
    SessionInfo info = info(call);
    String id = call.path("item_id");
    Entry entry = places.find(info.key(), id).orElseThrow(() -> noItem(id));
    places.remember(info.key(), entry);
    Runnable saidBefore = SaidBefore.ofItems(store, info.key());
    try {
      store.session(info.key()).commit(Commit.removeItem(entry.position()));
      saidBefore.run();
    } catch (ClewException.VersionConflict e) {
      throw noItem(id); // another call was faster
    }
    if (entry.item().view() instanceof View.Message) {
      titles.removed(info.key());
    }
    call.reply(conversation(info));
  }

  private SessionKey key(Call call) {
    return ConversationIds.toKey(call.owner(), call.path("conversation_id"));
  }

  private SessionInfo info(Call call) {
    return store
        .session(key(call))
        .info()
        .orElseThrow(() -> ConversationIds.notFound(call.path("conversation_id")));
  }

  private static Problem noItem(String id) {
    return Problem.notFound("Item with id '" + id + "' not found in conversation.");
  }

  private static JsonObject conversation(SessionInfo info) {
    return new JsonObject()
        .put("id", ConversationIds.toWire(info.key().id()))
        .put("object", "conversation")
        .put("created_at", info.createdAt().getEpochSecond())
        .put("metadata", Metadata.of(info));
  }

  /**
   * A bounded cache of the newest items in the form in which they are returned. Thread-safe.
   * Entries live as long as the store keeps the items in memory.
   */
  private static final class ShownItems {
    private static final long MOST_BYTES = 8 << 20;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Shown(long position, byte[] json) {}

    private final Cache<Item, Shown> known =
        Caffeine.newBuilder()
            .weakKeys()
            .maximumWeight(MOST_BYTES)
            .weigher((Item item, Shown shown) -> shown.json().length)
            .executor(Runnable::run)
            .build();

    byte[] json(Item item, long position) {
      Shown shown = known.getIfPresent(item);
      if (shown == null
          || shown.position() != position) { // a fork has the same item at another position
        shown = new Shown(position, WireItems.json(item, position).getBytes(UTF_8));
        known.put(item, shown);
      }
      return shown.json();
    }
  }
}
