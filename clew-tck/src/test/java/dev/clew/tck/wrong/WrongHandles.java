package dev.clew.tck.wrong;

import dev.clew.SessionStore;
import dev.clew.StoredSession;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.BiFunction;

/** Stores whose sessions do one thing wrong, and so do handles made of them. Stateless. */
final class WrongHandles {
  private WrongHandles() {}

  /**
   * A store whose sessions do something else in the place of a method.
   *
   * @param method its name; the one with a single argument is meant
   * @param instead what is done, with the right session and the argument
   */
  static SessionStore instead(
      SessionStore right, String method, BiFunction<StoredSession, Object, ?> instead) {
    return wrong(SessionStore.class, right, method, instead);
  }

  private static <T> T wrong(
      Class<T> type, T right, String name, BiFunction<StoredSession, Object, ?> instead) {
    return type.cast(
        Proxy.newProxyInstance(
            WrongHandles.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.getName().equals(name) && method.getParameterCount() == 1) {
                return instead.apply((StoredSession) right, arguments[0]);
              }
              try {
                Object result = method.invoke(right, arguments);
                return result instanceof StoredSession session
                    ? wrong(StoredSession.class, session, name, instead)
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
