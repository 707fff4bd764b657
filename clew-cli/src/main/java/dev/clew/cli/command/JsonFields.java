package dev.clew.cli.command;

import dev.clew.Entry;
import dev.clew.Finding;
import dev.clew.Receipt;
import dev.clew.SearchResult;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.cli.terminal.Humanize;
import dev.clew.json.JsonObject;
import dev.clew.kit.Family;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The field names of {@code --json}, in one place because scripts rely on them. Stateless. */
public final class JsonFields {
  private JsonFields() {}

  public static JsonObject session(SessionInfo info) {
    JsonObject json =
        new JsonObject()
            .put("id", info.key().id())
            .put("owner", info.key().owner())
            .put("title", info.title())
            .put("items", info.itemCount())
            .put("bytes", info.bytes())
            .put("version", info.version())
            .put("created_at", info.createdAt().toString())
            .put("updated_at", info.updatedAt().toString())
            .put("tags", Family.visible(info.tags()))
            .put("archived", Family.isArchived(info))
            .put("older", Family.isOlder(info))
            .put("pinned", info.pinned())
            .put("metadata", info.metadata())
            .put("time_to_live_seconds", info.timeToLive().map(Duration::toSeconds).orElse(null))
            .put("parent", info.parent().map(JsonFields::parent).orElse(null));
    return info.damaged() ? json.put("damaged", true) : json;
  }

  private static JsonObject parent(SessionInfo.Parent parent) {
    return new JsonObject().put("id", parent.key().id()).put("position", parent.position());
  }

  public static JsonObject entry(Entry entry) {
    return new JsonObject()
        .put("position", entry.position())
        .put("added_at", entry.addedAt().toString())
        .put("compacted", entry.compacted())
        .put("notes", entry.notes())
        .raw("item", entry.item().json());
  }

  public static JsonObject receipt(SessionKey key, int items, Receipt receipt) {
    return new JsonObject()
        .put("id", key.id())
        .put("owner", key.owner())
        .put("added", receipt.repeated() ? 0 : items)
        .put("first_position", number(receipt.firstPosition()))
        .put("last_position", number(receipt.lastPosition()))
        .put("version", receipt.version())
        .put("repeated", receipt.repeated());
  }

  public static JsonObject hit(SearchResult.Hit hit) {
    List<JsonObject> highlights =
        hit.highlights().stream()
            .map(at -> new JsonObject().put("start", at.start()).put("end", at.end()))
            .toList();
    return new JsonObject()
        .put("id", hit.key().id())
        .put("owner", hit.key().owner())
        .put("title", hit.title())
        .put("position", hit.position())
        .put("added_at", hit.addedAt().toString())
        .put("score", hit.score())
        .put("snippet", hit.snippet())
        .putAll("highlights", highlights);
  }

  public static JsonObject finding(Finding finding) {
    return new JsonObject()
        .put("kind", Humanize.word(finding.kind()))
        .put("id", finding.key().map(SessionKey::id).orElse(null))
        .put("owner", finding.key().map(SessionKey::owner).orElse(null))
        .put("position", number(finding.position()))
        .put("message", finding.message());
  }

  private static @Nullable Long number(OptionalLong value) {
    return value.isPresent() ? (Long) value.getAsLong() : null;
  }
}
