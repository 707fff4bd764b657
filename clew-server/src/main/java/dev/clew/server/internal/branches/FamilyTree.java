package dev.clew.server.internal.branches;

import dev.clew.SessionInfo;
import dev.clew.server.internal.describe.ServerMetadata;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How a branch lies among the others of its conversation. Used once, by one thread. Branches that
 * remember the same place are the same up to it, so two of them part at the last place that both
 * remember. Each may remember very many.
 */
final class FamilyTree {
  private final List<SessionInfo> branches;
  private final List<Map<String, Long>> places = new ArrayList<>();

  FamilyTree(List<SessionInfo> branches) {
    this.branches = branches;
    branches.forEach(each -> places.add(ServerMetadata.of(each).branches()));
  }

  /**
   * The places where others part from a branch: the position before, and for each way on from there
   * a branch, the oldest way first. Of another way it is the branch that was changed last.
   */
  Map<Long, List<String>> places(SessionInfo info) {
    int self = branches.stream().map(SessionInfo::key).toList().indexOf(info.key());
    TreeMap<Long, List<Integer>> parting = new TreeMap<>(Comparator.reverseOrder());
    Map<Integer, String> last = new HashMap<>(); // of another branch, the last common place
    for (int i = 0; i < branches.size(); i++) {
      Map<String, Long> own = places.get(self);
      int other = i;
      places.get(i).keySet().stream()
          .filter(own::containsKey)
          .max(Comparator.comparing(own::get))
          .filter(name -> other != self)
          .ifPresent(
              name -> {
                last.put(other, name);
                parting.computeIfAbsent(own.get(name), any -> new ArrayList<>()).add(other);
              });
    }
    TreeMap<Long, List<String>> found = new TreeMap<>();
    int oldest = self; // of those that go on as this one does
    for (var place : parting.entrySet()) {
      TreeMap<Integer, Integer> ways = new TreeMap<>(ways(place.getValue(), last));
      ways.put(oldest, self);
      oldest = Math.min(oldest, ways.firstKey());
      found.put(
          place.getKey(), ways.values().stream().map(i -> branches.get(i).key().id()).toList());
    }
    return found;
  }

  /** The ways on from a place: the oldest branch of each, and the one that was changed last. */
  private Map<Integer, Integer> ways(List<Integer> parting, Map<Integer, String> last) {
    Map<String, Integer> ways = new HashMap<>(); // by the places behind: those on one way share one
    Map<Integer, Integer> found = new HashMap<>();
    for (int each : parting) {
      Map<String, Long> own = places.get(each);
      long from = own.getOrDefault(last.get(each), 0L);
      List<String> behind =
          own.keySet().stream().filter(name -> own.getOrDefault(name, from) > from).toList();
      int way = behind.stream().filter(ways::containsKey).findFirst().map(ways::get).orElse(each);
      behind.forEach(name -> ways.putIfAbsent(name, way));
      found.merge(way, each, this::changedLast);
    }
    return found;
  }

  private int changedLast(int one, int other) {
    return branches.get(one).updatedAt().isAfter(branches.get(other).updatedAt()) ? one : other;
  }

  /** The other branches that have the same beginning as one, up to behind a position. */
  List<SessionInfo> sharing(SessionInfo info, long position) {
    Map<String, Long> own = ServerMetadata.of(info).branches();
    List<SessionInfo> sharing = new ArrayList<>();
    for (int i = 0; i < branches.size(); i++) {
      if (!branches.get(i).key().equals(info.key())
          && places.get(i).keySet().stream()
              .anyMatch(name -> own.getOrDefault(name, Long.MIN_VALUE) > position)) {
        sharing.add(branches.get(i));
      }
    }
    return sharing;
  }
}
