package dev.clew.postgres;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** New rows for one statement: it takes an array for each column. Not thread-safe. */
final class Columns {
  private final Class<?>[] types;
  private final List<@Nullable Object[]> rows = new ArrayList<>();

  Columns(Class<?>... types) {
    this.types = types;
  }

  void add(@Nullable Object... row) {
    rows.add(row);
  }

  /** The values of each column. */
  List<Object> arrays() {
    List<Object> arrays = new ArrayList<>(types.length);
    for (int column = 0; column < types.length; column++) {
      Object array = Array.newInstance(types[column], rows.size());
      for (int row = 0; row < rows.size(); row++) {
        Array.set(array, row, rows.get(row)[column]);
      }
      arrays.add(array);
    }
    return arrays;
  }
}
