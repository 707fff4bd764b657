package dev.clew.tck.thirdparty;

import dev.clew.Capability;
import dev.clew.ClewException;
import dev.clew.Durability;
import dev.clew.SearchQuery;
import dev.clew.SessionStore;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A store as somebody else would write it: data on a shelf of theirs that outlives the handle, and
 * no search. Thread-safe.
 *
 * <p>The shelf is a store in memory, so that the contract can be seen to run its rules about
 * restarts and about missing capabilities.
 */
public final class ShelfStore implements InvocationHandler {
  private final SessionStore shelf;
  private final Set<Capability> capabilities;
  private final AtomicBoolean closed = new AtomicBoolean();

  private ShelfStore(SessionStore shelf, Set<Capability> capabilities) {
    this.shelf = shelf;
    this.capabilities = capabilities;
  }

  /** A handle on what is on the shelf. */
  public static SessionStore open(SessionStore shelf, Set<Capability> capabilities) {
    return (SessionStore)
        Proxy.newProxyInstance(
            ShelfStore.class.getClassLoader(),
            new Class<?>[] {SessionStore.class},
            new ShelfStore(shelf, capabilities));
  }

  @Override
  public Object invoke(Object handle, Method method, Object[] arguments) throws Throwable {
    switch (method.getName()) {
      case "close" -> {
        closed.set(true);
        return null;
      }
      case "session" -> {
        return InvocationHandler.invokeDefault(handle, method, arguments);
      }
      case "durability" -> {
        return Durability.PROCESS_CRASH;
      }
      case "capabilities" -> {
        return capabilities;
      }
      default -> {
        return pass(method, arguments);
      }
    }
  }

  private Object pass(Method method, Object[] arguments) throws Throwable {
    if (closed.get() && method.getDeclaringClass() == SessionStore.class) {
      throw new ClewException.Closed("this handle was closed; open another");
    }
    if (arguments != null
        && arguments[0] instanceof SearchQuery
        && !capabilities.contains(Capability.SEARCH)) {
      throw new ClewException.NotSupported("the shelf cannot be searched; read the sessions");
    }
    try {
      return method.invoke(shelf, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
