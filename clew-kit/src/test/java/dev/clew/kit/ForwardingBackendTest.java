package dev.clew.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Item;
import dev.clew.ManualClock;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.SessionSettings;
import dev.clew.SessionStore;
import dev.clew.memory.MemoryStore;
import dev.clew.spi.AsyncCommits;
import dev.clew.spi.Backend;
import dev.clew.spi.ChangePush;
import dev.clew.spi.Compression;
import dev.clew.spi.Inspection;
import dev.clew.spi.ItemLookup;
import dev.clew.spi.LastRemoval;
import dev.clew.spi.NativeLeases;
import dev.clew.spi.RecentItems;
import dev.clew.spi.SelfCheck;
import dev.clew.spi.Snapshots;
import dev.clew.spi.TextIndex;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForwardingBackendTest {
  private static final SessionKey KEY = new SessionKey("o", "s");

  private static final class Plain extends ForwardingBackend {
    Plain(Backend delegate) {
      super(delegate);
    }
  }

  /** Hides what the store has for leases, so that they are kept as documents. */
  private static final class WithoutLeases extends ForwardingBackend {
    WithoutLeases(Backend delegate) {
      super(delegate);
    }

    @Override
    public <F> Optional<F> feature(Class<F> feature) {
      return feature == NativeLeases.class ? Optional.empty() : super.feature(feature);
    }
  }

  @Test
  void leasesThatADecoratorHides_areKeptByTheClockOfTheStore() {
    ManualClock clock = new ManualClock();
    try (SessionStore store =
        BackendStore.decorate(MemoryStore.builder().clock(clock).build(), WithoutLeases::new)) {
      Duration minute = Duration.ofMinutes(1);
      assertThat(store.leases().tryAcquire(KEY, "turn", "ann", minute)).isPresent();
      assertThat(store.leases().tryAcquire(KEY, "turn", "bob", minute)).isEmpty();
      clock.advance(minute);
      assertThat(store.leases().tryAcquire(KEY, "turn", "bob", minute)).isPresent();
    }
  }

  /** Notes the commits that come through. */
  private static final class Noting extends ForwardingBackend {
    private final List<Commit> seen;

    Noting(Backend delegate, List<Commit> seen) {
      super(delegate);
      this.seen = seen;
    }

    @Override
    public Receipt commit(SessionKey key, Commit commit) {
      seen.add(commit);
      return super.commit(key, commit);
    }
  }

  /** A method that was called, with its very arguments. */
  private record Call(Method method, List<Object> arguments) {}

  @TestFactory
  Stream<DynamicTest> everyMethodIsPassedOnWithItsArguments() {
    return Arrays.stream(Backend.class.getMethods())
        .filter(method -> !method.isDefault() && !method.getName().equals("of"))
        .map(method -> DynamicTest.dynamicTest(method.getName(), () -> isPassedOn(method)));
  }

  private static void isPassedOn(Method method) throws ReflectiveOperationException {
    List<Call> calls = new ArrayList<>();
    Object[] arguments =
        Arrays.stream(method.getParameterTypes()).map(ForwardingBackendTest::zero).toArray();

    method.invoke(new Plain(recording(calls)), arguments);

    assertThat(calls).containsExactly(new Call(method, Arrays.asList(arguments)));
  }

  private static Backend recording(List<Call> calls) {
    InvocationHandler recorder =
        (proxy, called, arguments) -> {
          calls.add(new Call(called, arguments == null ? List.of() : Arrays.asList(arguments)));
          return zero(called.getReturnType());
        };
    return (Backend)
        Proxy.newProxyInstance(
            Backend.class.getClassLoader(), new Class<?>[] {Backend.class}, recorder);
  }

  private static Object zero(Class<?> type) {
    if (type == int.class) {
      return 7;
    }
    return type == long.class ? (Object) 7L : type == boolean.class ? (Object) true : null;
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        NativeLeases.class,
        ChangePush.class,
        SelfCheck.class,
        Inspection.class,
        Compression.class
      })
  void aFeatureThatCarriesNoContentIsThatOfTheWrappedBackend(Class<?> feature) {
    List<Call> calls = new ArrayList<>();

    new Plain(recording(calls)).feature(feature);

    assertThat(calls).extracting(Call::arguments).containsExactly(List.of(feature));
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        RecentItems.class,
        ItemLookup.class,
        LastRemoval.class,
        TextIndex.class,
        AsyncCommits.class,
        Snapshots.class
      })
  void aFeatureThatWouldBypassAnOverrideIsNotPassedOn(Class<?> feature) {
    List<Call> calls = new ArrayList<>();

    assertThat(new Plain(recording(calls)).feature(feature)).isEqualTo(Optional.empty());
    assertThat(calls).isEmpty();
  }

  @Test
  void everyWriteComesThroughTheDecorator() {
    List<Commit> seen = new ArrayList<>();
    try (SessionStore store =
        BackendStore.decorate(
            MemoryStore.builder().build(), backend -> new Noting(backend, seen))) {
      Commit append = Commit.append(List.of(Item.user("hi")));
      Commit withDocument =
          append.document(
              new Commit.DocumentPut("r", OptionalLong.empty(), Optional.empty(), receipt -> "{}"));

      store.session(KEY).commit(withDocument);
      store.session(KEY).commitAsync(append).join();
      store.session(KEY).commitAsync(withDocument).join();
      store.session(KEY).popItem();

      assertThat(seen).hasSize(4).startsWith(withDocument, append, withDocument);
      assertThat(store.documents().get("o", "r")).isPresent();
    }
  }

  @Test
  void everyReadComesThroughTheDecorator() {
    try (SessionStore store =
        BackendStore.decorate(
            MemoryStore.builder().build(),
            backend ->
                new ForwardingBackend(backend) {
                  @Override
                  public EntryPage read(SessionKey key, Range range) {
                    return new EntryPage(
                        super.read(key, range).entries().stream()
                            .map(entry -> loud(entry))
                            .toList(),
                        false);
                  }
                })) {
      Item item = Item.parse("{\"id\":\"i\",\"role\":\"user\",\"content\":\"golden gate\"}");
      Item loud = Item.parse("{\"id\":\"i\",\"role\":\"user\",\"content\":\"GOLDEN GATE!\"}");
      store.session("s").addItems(List.of(item));

      assertThat(store.session("s").getItems()).containsExactly(loud);
      assertThat(store.session("s").find("i").map(Entry::item)).contains(loud);
      assertThat(store.search("golden").hits().get(0).snippet()).isEqualTo("GOLDEN GATE!");
      assertThat(store.session("s").popItem()).contains(loud);
    }
  }

  private static Entry loud(Entry entry) {
    return new Entry(
        entry.position(),
        Item.parse(entry.item().json().replace("golden gate", "GOLDEN GATE!")),
        entry.addedAt(),
        entry.notes(),
        entry.compacted());
  }

  @Test
  void handlesComeBackThroughTheDecorator() {
    List<Commit> seen = new ArrayList<>();
    MemoryStore memory = MemoryStore.builder().settings(SessionSettings.limit(1)).build();
    try (SessionStore store = BackendStore.decorate(memory, backend -> new Noting(backend, seen))) {
      store.session("s").addItems(List.of(Item.user("a"), Item.user("b")));

      assertThat(seen).hasSize(1);
      assertThat(store.session("s").store()).isSameAs(store);
      assertThat(store.session("s").getItems()).containsExactly(Item.user("b"));
    }
  }
}
