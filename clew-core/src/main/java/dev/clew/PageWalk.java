package dev.clew;

import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;

/** Reads one page after another, each when the one before is used up. Not thread-safe. */
final class PageWalk<Q, T> implements Iterator<T> {
  private final Function<Q, Page<Q, T>> read;
  private Optional<Q> next;
  private Iterator<T> page = Collections.emptyIterator();

  /** What was read, and what to ask for next; nothing at the end. */
  record Page<Q, T>(Iterable<T> content, Optional<Q> next) {}

  PageWalk(Q first, Function<Q, Page<Q, T>> read) {
    this.next = Optional.of(first);
    this.read = read;
  }

  @Override
  public boolean hasNext() {
    while (!page.hasNext() && next.isPresent()) {
      Page<Q, T> more = read.apply(next.get());
      page = more.content().iterator();
      next = more.next();
    }
    return page.hasNext();
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return page.next();
  }
}
