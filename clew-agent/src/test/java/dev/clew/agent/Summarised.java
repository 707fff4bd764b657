package dev.clew.agent;

import dev.clew.ClewException;
import dev.clew.Item;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/** A compactor that makes one item of everything, and does what the test says meanwhile. */
final class Summarised implements Compactor {
  static final Usage COST = Usage.of(100, 7);

  final List<CompactionRequest> requests = Collections.synchronizedList(new ArrayList<>());
  private final boolean followsResponses;
  volatile Consumer<CompactionRequest> meanwhile = request -> {};

  Summarised() {
    this(false);
  }

  Summarised(boolean followsResponses) {
    this.followsResponses = followsResponses;
  }

  static Item item(int number) {
    return Item.parse("{\"type\":\"compaction\",\"encrypted_content\":\"summary " + number + "\"}");
  }

  Summarised fails() {
    meanwhile =
        request -> {
          throw new ClewException.ModelFailed("overloaded", null, true);
        };
    return this;
  }

  @Override
  public Compaction compact(CompactionRequest request) {
    requests.add(request);
    int number = requests.size();
    meanwhile.accept(request);
    return new Compaction(List.of(item(number)), COST);
  }

  @Override
  public boolean canFollowResponses() {
    return followsResponses;
  }

  CompactionRequest last() {
    return requests.get(requests.size() - 1);
  }
}
