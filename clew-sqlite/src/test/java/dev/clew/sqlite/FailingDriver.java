package dev.clew.sqlite;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * A driver whose commits can be made to fail, as those of the real one do when the disk does.
 * Thread-safe.
 */
final class FailingDriver implements UnaryOperator<Connection> {
  private volatile SQLiteErrorCode error = SQLiteErrorCode.SQLITE_OK;
  final AtomicInteger commits = new AtomicInteger();
  final AtomicInteger failures = new AtomicInteger();

  /** From now on, every commit fails with this; with {@code SQLITE_OK} it does not. */
  void failWith(SQLiteErrorCode code) {
    error = code;
  }

  @Override
  public Connection apply(Connection real) {
    return proxy(
        Connection.class,
        (method, args) -> {
          Object result = invoke(real, method, args);
          return method.getName().equals("prepareStatement") && "COMMIT".equals(args[0])
              ? commit((PreparedStatement) result)
              : result;
        });
  }

  private PreparedStatement commit(PreparedStatement real) {
    return proxy(
        PreparedStatement.class,
        (method, args) -> {
          if (method.getName().equals("execute")) {
            if (error != SQLiteErrorCode.SQLITE_OK) {
              failures.incrementAndGet();
              throw new SQLiteException(error.message, error);
            }
            commits.incrementAndGet();
          }
          return invoke(real, method, args);
        });
  }

  private interface Call {
    Object run(Method method, Object[] args) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, args) -> call.run(method, args)));
  }

  private static Object invoke(Object target, Method method, Object[] args) throws Throwable {
    try {
      return method.invoke(target, args);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof SQLException ? e.getCause() : e;
    }
  }
}
