package dev.clew.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.Stores;
import dev.clew.View;
import dev.clew.agent.Agent;
import dev.clew.agent.Model;
import dev.clew.agent.ModelEvent;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.ModelResponse;
import dev.clew.cli.ModelWire;
import dev.clew.cli.Screen;
import dev.clew.cli.command.Program;
import dev.clew.cli.model.Models;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Output;
import dev.clew.cli.terminal.Paint;
import dev.clew.openai.TestServer;
import java.io.ByteArrayInputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.ExternalTerminal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A chat on a terminal, typed key by key, and what Ctrl-C does. */
class ChatTerminalTest {
  private static final String PROMPT = "› ";
  private static final String CTRL_C = "\u0003";
  private static final String CTRL_D = "\u0004";
  private static final String BACKSPACE = "\u007f";
  private static final String RETRY = "x-should-retry";
  private static final String UP = "\u001bOA";

  private final SessionStore store = Stores.open("memory:");
  private final StoredSession session = store.session("s");
  private final Screen screen = new Screen();
  private final PipedOutputStream keys = new PipedOutputStream();
  private final AtomicInteger left = new AtomicInteger();
  private Models.Chosen chosen = Models.offline(Clock.systemUTC(), Duration.ZERO);
  private Terminal terminal;

  @BeforeEach
  void open() throws Exception {
    // One that raises signals itself, without a process of its own behind it.
    terminal =
        new ExternalTerminal(
            "test", "xterm", new PipedInputStream(keys, 1 << 16), screen, StandardCharsets.UTF_8);
    terminal.setSize(new Size(120, 40));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private CompletableFuture<Integer> chat() {
    JLineConsole console = new JLineConsole(terminal, new Paint(false), left::incrementAndGet);
    return CompletableFuture.supplyAsync(
        () -> {
          try (console) {
            return new Chat(console, chosen, session, new Program("clew", "", "")).run(3);
          }
        });
  }

  private void type(String text) throws Exception {
    keys.write(text.getBytes(StandardCharsets.UTF_8));
    keys.flush();
  }

  private static int ended(CompletableFuture<Integer> chat) throws Exception {
    return chat.get(30, TimeUnit.SECONDS);
  }

  @Test
  void aLineCanBeEditedAndQuotesAndExclamationMarksAreText() throws Exception {
    CompletableFuture<Integer> chat = chat();
    screen.await(PROMPT);
    type("it's \"x! \\yz" + BACKSPACE + "\r");
    screen.await("I do not understand");
    screen.await(PROMPT);
    type(CTRL_D);
    assertThat(ended(chat)).isZero();
    screen.await("to continue: clew chat s");
    assertThat(session.getItems().get(0)).isEqualTo(Item.user("it's \"x! \\y"));
  }

  @Test
  void theHistoryOfTheSessionIsTheHistoryOfTheLine() throws Exception {
    session.addItems(List.of(Item.user("who are you?"), Item.assistant("a model")));
    CompletableFuture<Integer> chat = chat();
    screen.await("who are you?");
    screen.await(PROMPT);
    type(UP + "\r");
    screen.await("offline demonstration model");
    screen.await(PROMPT);
    type("/quit\r");
    assertThat(ended(chat)).isZero();
    assertThat(session.getItems().get(2)).isEqualTo(Item.user("who are you?"));
  }

  @Test
  void tabCompletesCommandsAndSessionIds() throws Exception {
    store.session("kyoto-trip").addItems(List.of(Item.user("x")));
    CompletableFuture<Integer> chat = chat();
    screen.await(PROMPT);
    type("/op\tky\t\r");
    screen.await("session kyoto-trip · 1 item");
    screen.await(PROMPT);
    type("/quit\r");
    assertThat(ended(chat)).isZero();
  }

  @Test
  void approvalsAreAskedAtThePrompt() throws Exception {
    CompletableFuture<Integer> chat = chat();
    screen.await(PROMPT);
    type("in 2 hours lunch\r");
    screen.await("Entered");
    screen.await(PROMPT);
    type("cancel it\r");
    screen.await("Allow cancel_event");
    type("y\r");
    screen.await("Cancelled: \"lunch\"");
    screen.await(PROMPT);
    type(UP + "\r"); // the y is no line of the chat
    screen.await("nothing on your schedule");
    type("/quit\r");
    assertThat(ended(chat)).isZero();
  }

  @Test
  void anErrorIsToldAndTheChatGoesOn() throws Exception {
    CompletableFuture<Integer> chat = chat();
    screen.await(PROMPT);
    type("/nonsense\r");
    screen.await("clew: there is no command /nonsense");
    screen.await(PROMPT);
    type("thanks\r");
    screen.await("You are welcome.");
    type(CTRL_D);
    assertThat(ended(chat)).isZero();
  }

  @Test
  void ctrlCTwiceAtThePromptLeaves() throws Exception {
    CompletableFuture<Integer> chat = chat();
    screen.await(PROMPT);
    type("half a li" + CTRL_C);
    screen.await("again to leave");
    screen.await(PROMPT);
    type(CTRL_C);
    assertThat(ended(chat)).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(session.getItems()).isEmpty();
  }

  /** Says two words and then nothing more until it is interrupted, as often as it is told to. */
  private static final class Endless implements Model {
    private final CountDownLatch never = new CountDownLatch(1);
    private final boolean stubborn;

    Endless(boolean stubborn) {
      this.stubborn = stubborn;
    }

    @Override
    public ModelResponse respond(ModelRequest request) {
      throw new AssertionError("not streamed");
    }

    @Override
    public ModelResponse stream(ModelRequest request, Consumer<ModelEvent> listener) {
      listener.accept(new ModelEvent.TextDelta("once upon"));
      while (true) {
        try {
          never.await();
          throw new ClewException.ModelFailed("released", null, false);
        } catch (InterruptedException e) {
          if (!stubborn) {
            throw new ClewException.ModelFailed("interrupted", e, true);
          }
        }
      }
    }
  }

  @Test
  void ctrlCStopsTheAnswerAndKeepsWhatWasSaid_theNextOneLeaves() throws Exception {
    chosen = new Models.Chosen(new Endless(false), Agent.builder().name("a").build(), "a test");
    CompletableFuture<Integer> chat = chat();
    screen.await(PROMPT);
    type("tell me a story\r");
    screen.await("once upon");
    type(CTRL_C);
    screen.await("stopped; the answer so far is kept");
    screen.await(PROMPT);
    type(CTRL_C);
    assertThat(ended(chat)).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(session.getItems()).hasSize(2);
    Item last = session.getItems(1).get(0);
    assertThat(((View.Message) last.view()).text()).isEqualTo("once upon");
    assertThat(last.json()).contains("\"status\":\"incomplete\"");
  }

  @Test
  void anAnswerThatDoesNotStopIsLeftByASecondCtrlC() throws Exception {
    Endless model = new Endless(true);
    chosen = new Models.Chosen(model, Agent.builder().name("a").build(), "a test");
    CountDownLatch gone = new CountDownLatch(1);
    PipeConsole console =
        new PipeConsole(
            new ByteArrayInputStream("tell me a story\n".getBytes(StandardCharsets.UTF_8)),
            new Output(screen),
            new Output(screen),
            gone::countDown);
    CompletableFuture<Boolean> turn =
        CompletableFuture.supplyAsync(() -> new ChatTurn(console, chosen).run(session, "a story"));
    screen.await("once upon");
    console.interrupt();
    console.interrupt();
    assertThat(gone.await(30, TimeUnit.SECONDS)).isTrue();
    model.never.countDown(); // in a process of its own the JVM would be gone by now
    assertThat(turn.get(30, TimeUnit.SECONDS)).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void anErrorOfTheServiceIsOneLineAndTheConversationGoesOn(ModelWire wire) throws Exception {
    try (TestServer server = new TestServer()) {
      server
          .thenModel(
              TestServer.json(
                  401, TestServer.error("Bad key", "invalid_api_key"), "x-request-id", "req_1"))
          .thenModel(wire.call("call_1", "list_events", "{\"from\":\"today\"}"))
          .thenModel(
              exchange -> {
                exchange.getResponseHeaders().set("Content-Type", "text/html");
                TestServer.json(502, "<html>\n<h1>Bad gateway</h1>\n</html>", RETRY, "false")
                    .to(exchange);
              })
          .thenModel(wire.text("Here I am."));
      chosen =
          Models.remote(
              wire.named("test-model"),
              null,
              true,
              Map.of("OPENAI_BASE_URL", server.baseUrl()),
              Clock.systemUTC());
      CompletableFuture<Integer> chat = chat();
      screen.await(PROMPT);
      type("one\r");
      screen.await("clew: model 'test-model' at 127.0.0.1");
      screen.await("Bad key [invalid_api_key] (request req_1); check the API key");
      screen.await(PROMPT);
      type("two\r");
      screen.await("502");
      screen.await("; try again later");
      screen.await(PROMPT);
      type("three\r");
      screen.await("Here I am.");
      screen.await(PROMPT);
      type("/quit\r");
      assertThat(ended(chat)).isZero();
      assertThat(server.last().body()).containsSubsequence("one", "two", "call_1", "three");
    }
    assertThat(session.getItems().stream().map(Item::type))
        .containsExactly(
            "message", "message", "function_call", "function_call_output", "message", "message");
  }

  @Test
  void withoutATerminalAnInterruptBetweenAnswersLeaves() {
    PipeConsole console =
        new PipeConsole(
            new ByteArrayInputStream(new byte[0]),
            new Output(screen),
            new Output(screen),
            left::incrementAndGet);
    console.interrupt();
    assertThat(left).hasValue(1);
  }
}
