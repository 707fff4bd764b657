package dev.clew.tck;

import dev.clew.AsyncSession;
import dev.clew.Item;
import dev.clew.Session;
import java.util.List;
import java.util.Optional;

/** Calls an {@link AsyncSession} and waits for each answer. As thread-safe as the session. */
final class AsyncAsSession implements Session {
  private final AsyncSession session;

  AsyncAsSession(AsyncSession session) {
    this.session = session;
  }

  @Override
  public String id() {
    return session.id();
  }

  @Override
  public List<Item> getItems() {
    return Await.value(session.getItems());
  }

  @Override
  public List<Item> getItems(int limit) {
    return Await.value(session.getItems(limit));
  }

  @Override
  public void addItems(List<Item> items) {
    Await.value(session.addItems(items));
  }

  @Override
  public Optional<Item> popItem() {
    return Await.value(session.popItem());
  }

  @Override
  public void clearSession() {
    Await.value(session.clearSession());
  }
}
