package dev.clew.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Blocks of appends, one turn after the other. Used by one thread. */
final class Appends implements Race.Block {
  private final Appender appender;
  private final int turns;
  private final IntFunction<String> sessions;
  private int next;

  /**
   * @param turns how many a block has
   * @param sessions the session of each turn, which are counted from 0 through all blocks
   */
  Appends(Appender appender, int turns, IntFunction<String> sessions) {
    this.appender = appender;
    this.turns = turns;
    this.sessions = sessions;
  }

  @Override
  public long run() throws Exception {
    List<Turn> block = new ArrayList<>(turns);
    List<String> names = new ArrayList<>(turns);
    for (int i = 0; i < turns; i++) {
      block.add(Turn.of(next + i));
      names.add(sessions.apply(next + i));
    }
    next += turns;
    long start = System.nanoTime();
    for (int i = 0; i < turns; i++) {
      appender.append(names.get(i), block.get(i));
    }
    return System.nanoTime() - start;
  }
}
