package dev.clew.memory;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.Leases;
import dev.clew.ManualClock;
import dev.clew.SessionKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** A lease changes hands at one instant, and so does the right to write that goes with it. */
@Param(name = "holder", gen = IntGen.class, conf = "0:1")
@Param(name = "fence", gen = IntGen.class, conf = "0:3")
public class LeaseOperations {
  private static final SessionKey KEY = SessionKey.of("s");
  private static final String NAME = "turn";
  private static final Duration LIFE = Duration.ofMillis(10);
  private static final Commit WRITE = Commit.append(List.of(Item.parse("{}")));

  private final ManualClock clock = new ManualClock();
  private final MemoryStore store = MemoryStore.builder().clock(clock).build();
  private final Leases leases = store.leases();

  private static Leases.Grant grant(int holder, int fence) {
    return new Leases.Grant(KEY, NAME, "h" + holder, fence, Instant.EPOCH);
  }

  @Operation
  public long acquire(@Param(name = "holder") int holder) {
    return leases.tryAcquire(KEY, NAME, "h" + holder, LIFE).map(Leases.Grant::fence).orElse(0L);
  }

  @Operation
  public boolean renew(@Param(name = "holder") int holder, @Param(name = "fence") int fence) {
    return leases.renew(grant(holder, fence), LIFE).isPresent();
  }

  @Operation
  public void release(@Param(name = "holder") int holder, @Param(name = "fence") int fence) {
    leases.release(grant(holder, fence));
  }

  @Operation
  public String holder() {
    return leases.holder(KEY, NAME).map(held -> held.holder() + " " + held.fence()).orElse("none");
  }

  @Operation
  public boolean write(@Param(name = "fence") int fence) {
    try {
      store.session(KEY).commit(WRITE.fence(new Commit.Fence(NAME, fence)));
      return true;
    } catch (ClewException.SessionBusy e) {
      return false;
    }
  }

  @Operation
  public int written() {
    return store.session(KEY).getItems(100).size();
  }

  @Operation
  public void wait4() {
    clock.advance(Duration.ofMillis(4));
  }

  /** The same in the simplest way, for one thread. */
  public static class Model {
    private int holder = -1;
    private long fence;
    private long end;
    private long now;
    private int written;

    private boolean isHeld() {
      return holder >= 0 && end > now;
    }

    public long acquire(int by) {
      if (isHeld() && holder != by) {
        return 0;
      }
      fence += isHeld() ? 0 : 1;
      holder = by;
      end = now + 10;
      return fence;
    }

    public boolean renew(int by, int with) {
      boolean own = isHeld() && holder == by && fence == with;
      end = own ? now + 10 : end;
      return own;
    }

    public void release(int by, int with) {
      holder = holder == by && fence == with ? -1 : holder;
    }

    public String holder() {
      return isHeld() ? "h" + holder + " " + fence : "none";
    }

    public boolean write(int with) {
      written += with == fence ? 1 : 0;
      return with == fence;
    }

    public int written() {
      return written;
    }

    public void wait4() {
      now += 4;
    }
  }
}
