package dev.clew.decorate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.Receipt;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SessionKey;
import dev.clew.SessionSettings;
import dev.clew.SessionStore;
import dev.clew.memory.MemoryStore;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ForwardingStoreTest {
  private static final class Plain extends ForwardingStore {
    Plain(SessionStore delegate) {
      super(delegate);
    }
  }

  /** A method that was called, with its very arguments. */
  private record Call(Method method, List<Object> arguments) {}

  /** Handles are made here, so that they come back through the decoration; all else goes on. */
  @TestFactory
  Stream<DynamicTest> everyMethodButSessionIsPassedOnWithItsArguments() {
    return Arrays.stream(SessionStore.class.getMethods())
        .filter(method -> !method.getName().equals("session") && !isAnsweredHere(method))
        .map(method -> DynamicTest.dynamicTest(method.getName(), () -> isPassedOn(method)));
  }

  /** A decorator sees every search in one form, and has no features but its own. */
  private static boolean isAnsweredHere(Method method) {
    return method.toGenericString().endsWith("search(java.lang.String)")
        || method.getName().equals("feature");
  }

  @Test
  void aSearchByWordsComesThroughTheDecoration() {
    List<SearchQuery> seen = new ArrayList<>();
    SessionStore decorated =
        new ForwardingStore(MemoryStore.builder().build()) {
          @Override
          public SearchResult search(SearchQuery query) {
            seen.add(query);
            return super.search(query);
          }
        };
    decorated.search("words");
    assertThat(seen).containsExactly(SearchQuery.of("", "words"));
  }

  @Test
  void anAsyncCommitComesThroughTheDecorator() {
    List<Commit> seen = new ArrayList<>();
    SessionStore decorated =
        new ForwardingStore(MemoryStore.builder().build()) {
          @Override
          public Receipt commit(SessionKey key, Commit transaction) {
            seen.add(transaction);
            return super.commit(key, transaction);
          }
        };
    Commit change = Commit.append(List.of(Item.user("hi")));
    Commit withDocument =
        change.document(
            new Commit.DocumentPut("r", OptionalLong.empty(), Optional.empty(), receipt -> "{}"));
    decorated.session(new SessionKey("o", "s")).commit(withDocument);
    decorated.session(new SessionKey("o", "s")).commitAsync(change).join();
    decorated.session(new SessionKey("o", "s")).commitAsync(withDocument).join();
    assertThat(seen).containsExactly(withDocument, change, withDocument);
    assertThat(decorated.documents().get("o", "r")).isPresent();
  }

  private static void isPassedOn(Method method) throws ReflectiveOperationException {
    List<Call> calls = new ArrayList<>();
    InvocationHandler recorder =
        (proxy, called, arguments) -> {
          calls.add(new Call(called, arguments == null ? List.of() : Arrays.asList(arguments)));
          return zero(called.getReturnType());
        };
    SessionStore recording =
        (SessionStore)
            Proxy.newProxyInstance(
                SessionStore.class.getClassLoader(), new Class<?>[] {SessionStore.class}, recorder);
    Object[] arguments =
        Arrays.stream(method.getParameterTypes()).map(ForwardingStoreTest::zero).toArray();

    method.invoke(new Plain(recording), arguments);

    assertThat(calls).containsExactly(new Call(method, Arrays.asList(arguments)));
  }

  private static Object zero(Class<?> type) {
    if (type == int.class) {
      return 7;
    }
    return type == long.class ? (Object) 7L : type == boolean.class ? (Object) true : null;
  }

  @Test
  void handlesComeBackThroughTheDecoration() {
    List<Commit> seen = new ArrayList<>();
    MemoryStore memory = MemoryStore.builder().settings(SessionSettings.limit(1)).build();
    try (SessionStore store =
        new ForwardingStore(memory) {
          @Override
          public Receipt commit(SessionKey key, Commit transaction) {
            seen.add(transaction);
            return super.commit(key, transaction);
          }
        }) {
      store.session("s").addItems(List.of(Item.user("a"), Item.user("b")));

      assertThat(seen).hasSize(1);
      assertThat(store.session("s").store()).isSameAs(store);
      assertThat(store.session("s").getItems()).containsExactly(Item.user("b"));
    }
  }
}
