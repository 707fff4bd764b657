package dev.clew.redis;

import dev.clew.Finding;
import dev.clew.SessionKey;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Checks what only this store has: quarantined items, and the head of a list. Immutable. */
record Checkup(Server server, Keys keys) {
  void run(SessionKey key, Consumer<Finding> findings) {
    Keys.OfSession of = keys.of(key);
    for (byte[] position : server.get(of.quarantine, redis -> redis.hkeys(of.quarantine))) {
      findings.accept(
          new Finding(
              Finding.Kind.QUARANTINED,
              Optional.of(key),
              quarantined(Wire.text(position)),
              "a damaged item was put aside when it was popped; its text is in the hash "
                  + Wire.text(of.quarantine)));
    }
    byte[] front = server.get(of.items, redis -> redis.lindex(of.items, 0));
    if (front == null || Head.ofMember(front, front.length) != null) {
      return;
    }
    String what =
        Member.entry(front, false).isPresent()
            ? "what stood before the items was taken away, which hides the newest"
            : "what stands before the items is damaged";
    findings.accept(
        new Finding(
            Finding.Kind.DAMAGED,
            Optional.of(key),
            Member.position(front),
            what + "; the next change of the session puts it back"));
  }

  /** Its position, if it is known. */
  private static OptionalLong quarantined(String position) {
    return position.startsWith("unknown")
        ? OptionalLong.empty()
        : OptionalLong.of(Long.parseLong(position));
  }
}
