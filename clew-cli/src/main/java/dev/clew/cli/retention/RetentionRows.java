package dev.clew.cli.retention;

import dev.clew.cli.command.Clew;
import dev.clew.cli.terminal.Humanize;
import dev.clew.cli.terminal.SafeText;
import dev.clew.json.JsonObject;
import dev.clew.retention.LegalHolds.Hold;
import dev.clew.retention.RetentionPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Policies and holds as people and programs read them. Stateless. */
public final class RetentionRows {
  private RetentionRows() {}

  static void print(Clew clew, RetentionPolicy policy) {
    clew.answer(json(policy), text(policy));
  }

  static String text(RetentionPolicy policy) {
    List<String> limits = new ArrayList<>();
    policy.maxAge().ifPresent(life -> limits.add("older than " + time(life)));
    policy.maxIdle().ifPresent(life -> limits.add("not updated for " + time(life)));
    policy.maxCount().ifPresent(count -> limits.add("beyond the newest " + count));
    return String.format(
        "policy %s%s sessions%s%s %s",
        policy.name(),
        policy.action() == RetentionPolicy.Action.COMPRESS ? " compresses" : " removes",
        policy.owner().map(owner -> " of owner '" + owner + "'").orElse(""),
        policy.tag().map(tag -> " tagged '" + tag + "'").orElse(""),
        String.join(" or ", limits));
  }

  private static String time(Duration life) {
    return life.toDays() > 0 && life.equals(Duration.ofDays(life.toDays()))
        ? Humanize.count(life.toDays(), "day")
        : life.toHours() > 0 && life.equals(Duration.ofHours(life.toHours()))
            ? Humanize.count(life.toHours(), "hour")
            : Humanize.count(life.toSeconds(), "second");
  }

  public static JsonObject json(RetentionPolicy policy) {
    JsonObject json = new JsonObject().put("name", policy.name());
    json.put("owner", policy.owner().orElse(null)).put("tag", policy.tag().orElse(null));
    policy.maxAge().ifPresent(life -> json.put("max_age_s", life.toSeconds()));
    policy.maxIdle().ifPresent(life -> json.put("max_idle_s", life.toSeconds()));
    policy.maxCount().ifPresent(count -> json.put("max_count", count));
    return json.put("action", Humanize.word(policy.action()));
  }

  static String text(Hold hold) {
    return String.format(
        "%sowner '%s' is %s",
        hold.id().map(id -> "session '" + id + "' of ").orElse("everything of "),
        hold.owner(),
        SafeText.line(hold.toString()));
  }

  public static JsonObject json(Hold hold) {
    return new JsonObject()
        .put("owner", hold.owner())
        .put("id", hold.id().orElse(null))
        .put("reason", hold.reason())
        .put("since", hold.since().toString());
  }
}
