package dev.clew.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.View;
import dev.clew.imports.ImportReport.Outcome;
import dev.clew.json.Json;
import dev.clew.kit.BackendStore;
import dev.clew.kit.ForwardingBackend;
import dev.clew.memory.MemoryStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Documents of other programs. The fixtures follow the formats as those programs publish them; the
 * programs themselves are not to be had here.
 */
class ImportTest {
  @TempDir Path folder;
  private final MemoryStore store = new MemoryStore();

  private Path fixture(String name) throws IOException {
    Path file = folder.resolve(name.equals("chatgpt.json") ? "conversations.json" : name);
    try (InputStream in = ImportTest.class.getResourceAsStream("/imports/" + name)) {
      Files.write(file, Objects.requireNonNull(in).readAllBytes());
    }
    return file;
  }

  private Import of(Path source) {
    ImportFormat format = ImportFormats.of(source.toString()).orElseThrow();
    return Import.of(format, source.toString(), store);
  }

  private ImportReport run(Path source) {
    return of(source).run(ImportListener.NONE);
  }

  private static List<String> texts(List<Item> items) {
    List<String> texts = new ArrayList<>();
    for (Item item : items) {
      View view = item.view();
      if (view instanceof View.Message message) {
        texts.add(message.role().wire() + ": " + message.text());
      } else if (view instanceof View.FunctionCall call) {
        texts.add("call " + call.callId() + " " + call.name() + " " + call.arguments());
      } else if (view instanceof View.FunctionCallOutput output) {
        texts.add("result " + output.callId() + " " + output.text());
      } else if (view instanceof View.Reasoning reasoning) {
        texts.add("thought: " + reasoning.text());
      } else {
        texts.add(item.json());
      }
    }
    return texts;
  }

  private List<String> texts(String id) {
    return texts(store.session(id).getItems());
  }

  private SessionInfo info(String id) {
    return store.session(id).info().orElseThrow();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> object(Map<String, Object> parent, String name) {
    return (Map<String, Object>) Objects.requireNonNull(parent.get(name), name);
  }

  private List<SessionInfo> sessions() {
    return store.list(SessionQuery.of("")).sessions();
  }

  @Test
  void chatGpt_theCurrentBranchIsTheSessionAndOthersAreSessionsOfTheirOwn() throws IOException {
    ImportReport report = run(fixture("chatgpt.json"));

    assertThat(report.count(Outcome.IMPORTED)).isEqualTo(3);
    assertThat(texts("68a-1"))
        .containsExactly(
            "user: Where is this? 京都",
            "thought: Looking\nA pavilion of gold.",
            "call c1 web {\"input\":\"search('golden pavilion')\"}",
            "result c1 Kinkaku-ji",
            "assistant: It is Kinkaku-ji.",
            "user: Thanks!");
    assertThat(texts("68a-1~a1")).hasSize(5).endsWith("assistant: It is Ginkaku-ji.");
    assertThat(texts("68a-3")).containsExactly("user: Something with anchovies?");
    assertThat(info("68a-1").title()).isEqualTo("Trip to Kyoto");
    assertThat(info("68a-1").pinned()).isTrue();
    assertThat(info("68a-3").archived()).isTrue();
    assertThat(object(info("68a-1~a1").metadata(), "branch_of"))
        .containsEntry("id", "68a-1")
        .containsEntry("shared_items", 4L);
  }

  @Test
  void chatGpt_whatTheItemDoesNotHaveStandsBesideIt() throws IOException {
    ImportReport report = run(fixture("chatgpt.json"));
    Entry image = store.session(SessionKey.of("68a-1")).entries(Range.first(1)).entries().get(0);

    assertThat(image.item().json())
        .contains("{\"type\":\"input_image\",\"file_id\":\"file-abc123\"}");
    assertThat(image.addedAt()).isEqualTo(Instant.parse("2025-08-24T01:46:41.500Z"));
    Map<String, Object> source = object(image.notes(), "source");
    assertThat(object(source, "metadata")).containsEntry("unknown_future_field", List.of(1L, 2L));
    assertThat(Json.write(object(source, "content"))).contains("\"size_bytes\":4096");
    assertThat(
            store.session(SessionKey.of("68a-1")).entries(Range.latest(2)).entries().get(0).notes())
        .containsEntry("model", "gpt-5");
    Map<String, Object> about = object(info("68a-1").metadata(), "imported");
    assertThat(about).containsEntry("format", "chatgpt").containsEntry("title", "Trip to\nKyoto");
    assertThat(info("68a-1").createdAt()).isEqualTo(Instant.parse("2025-08-24T01:46:40.123Z"));
    assertThat(object(about, "source")).containsEntry("default_model_slug", "gpt-5");
    assertThat(report.losses())
        .extracting(Losses.Loss::reason, Losses.Loss::count)
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple(
                "an image, of which the export has only the name", 1L),
            org.assertj.core.groups.Tuple.tuple("it is nothing that chatgpt writes", 1L));
    assertThat(report.losses().get(1).places().get(0))
        .contains("conversations.json, line 2", "element 2");
  }

  @Test
  void runAgain_nothingIsThereTwiceAndWhatWasSaidSinceIsAdded() throws IOException {
    Path file = fixture("chatgpt.json");
    run(file);
    long version = info("68a-1").version();
    ImportReport again = run(file);
    assertThat(again.count(Outcome.ALREADY_THERE)).isEqualTo(3);
    assertThat(again.items()).isZero();
    assertThat(info("68a-1").version()).isEqualTo(version);

    store.session("68a-3").addItems(List.of(Item.assistant("said here")));
    Files.writeString(
        file,
        Files.readString(file)
            .replace("\"current_node\": \"u2\"", "\"current_node\": \"a3\"")
            .replace(
                "\"root\": {",
                "\"a3\":"
                    + " {\"id\":\"a3\",\"message\":{\"id\":\"a3\",\"author\":{\"role\":\"assistant\"},"
                    + "\"content\":{\"content_type\":\"text\",\"parts\":[\"Welcome!\"]}},\"parent\":\"u2\",\"children\":[]},\"root\":"
                    + " {"));
    ImportReport later = run(file);
    assertThat(later.count(Outcome.CONTINUED)).isEqualTo(1);
    assertThat(later.count(Outcome.ALREADY_THERE)).isEqualTo(2);
    assertThat(texts("68a-1")).hasSize(7).endsWith("assistant: Welcome!");
    assertThat(texts("68a-3")).endsWith("assistant: said here");
  }

  @Test
  void interruptedAfterAnyWrite_theNextRunCompletesItAndNothingIsHalf() throws IOException {
    Path file = fixture("chatgpt.json");
    MemoryStore whole = new MemoryStore();
    Import.of(ImportFormats.named("chatgpt"), file.toString(), whole).run(ImportListener.NONE);
    for (int writes = 0; writes < 6; writes++) {
      MemoryStore target = new MemoryStore();
      int[] left = {writes};
      SessionStore dying =
          BackendStore.decorate(
              target,
              backend ->
                  new ForwardingBackend(backend) {
                    @Override
                    public Receipt commit(SessionKey key, Commit transaction) {
                      die();
                      return super.commit(key, transaction);
                    }

                    @Override
                    public SessionInfo update(SessionKey key, SessionUpdate update) {
                      die();
                      return super.update(key, update);
                    }

                    private void die() {
                      if (left[0]-- == 0) {
                        throw new ClewException.StoreUnavailable("killed", null, false);
                      }
                    }
                  });
      Import first = Import.of(ImportFormats.named("chatgpt"), file.toString(), dying);
      assertThatThrownBy(() -> first.run(ImportListener.NONE)).hasMessage("killed");
      for (SessionInfo info : target.list(SessionQuery.of("")).sessions()) {
        assertThat(target.session(info.key()).getItems())
            .isEqualTo(whole.session(info.key()).getItems());
      }
      Import.of(ImportFormats.named("chatgpt"), file.toString(), target).run(ImportListener.NONE);
      for (SessionInfo info : whole.list(SessionQuery.of("")).sessions()) {
        SessionInfo copy = target.session(info.key()).info().orElseThrow();
        assertThat(target.session(info.key()).getItems())
            .isEqualTo(whole.session(info.key()).getItems());
        assertThat(copy.title()).isEqualTo(info.title());
        assertThat(copy.metadata()).isEqualTo(info.metadata());
      }
    }
  }

  @Test
  void aSessionOfTheSameNameStaysAsItIs() throws IOException {
    store.session("68a-1").addItems(List.of(Item.user("mine")));
    List<String> messages = new ArrayList<>();
    ImportReport report =
        of(fixture("chatgpt.json"))
            .run(
                new ImportListener() {
                  @Override
                  public void finished(
                      SessionKey key, Outcome outcome, long items, String message) {
                    if (!message.isEmpty()) {
                      messages.add(key.id() + ": " + message);
                    }
                  }
                });

    assertThat(report.count(Outcome.REFUSED)).isEqualTo(1);
    assertThat(report.count(Outcome.IMPORTED)).isEqualTo(2);
    assertThat(texts("68a-1")).containsExactly("user: mine");
    assertThat(messages).hasSize(1).first().asString().contains("68a-1", "from item 1 on");
  }

  @Test
  void aDryRun_writesNothing_andAnOwnerGetsHerOwn() throws IOException {
    Path file = fixture("chatgpt.json");
    ImportReport report = of(file).dryRun().run(ImportListener.NONE);
    assertThat(report.count(Outcome.IMPORTED)).isEqualTo(3);
    assertThat(report.items()).isEqualTo(12);
    assertThat(sessions()).isEmpty();

    of(file).owner("ann").run(ImportListener.NONE);
    assertThat(sessions()).isEmpty();
    assertThat(store.session(new SessionKey("ann", "68a-3")).getItems()).hasSize(1);
  }

  @Test
  void chatGpt_inItsZip() throws IOException {
    Path file = fixture("chatgpt.json");
    Path zip = folder.resolve("export.zip");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
      out.putNextEntry(new ZipEntry("chat.html"));
      out.putNextEntry(new ZipEntry("conversations.json"));
      out.write(Files.readAllBytes(file));
    }
    assertThat(run(zip).count(Outcome.IMPORTED)).isEqualTo(3);
    assertThat(run(file).count(Outcome.ALREADY_THERE)).isEqualTo(3);
  }

  private static final byte[] PNG =
      "\u0089PNG\r\n\u001a\n...".getBytes(StandardCharsets.ISO_8859_1);

  /** An export with an image, whose bytes are in the zip under this name. */
  private Path zip(String name, byte[] image) throws IOException {
    Path zip = folder.resolve("export.zip");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
      out.putNextEntry(new ZipEntry("conversations.json"));
      out.write(Files.readAllBytes(fixture("chatgpt.json")));
      out.putNextEntry(new ZipEntry(name));
      out.write(image);
    }
    return zip;
  }

  private String firstItem() {
    return store.session("68a-1").getItems().get(0).json();
  }

  private static List<String> reasons(ImportReport report) {
    return report.losses().stream().map(Losses.Loss::reason).toList();
  }

  @Test
  void chatGpt_theBytesOfAnImageInTheZipAreCarried() throws IOException {
    Path zip = zip("some-user/file-abc123-temple.png", PNG);
    ImportReport report = run(zip);

    assertThat(firstItem())
        .contains(
            "{\"type\":\"input_image\",\"image_url\":\"data:image/png;base64,"
                + Base64.getEncoder().encodeToString(PNG)
                + "\"}");
    assertThat(reasons(report)).noneMatch(reason -> reason.contains("image"));
    assertThat(run(zip).count(Outcome.ALREADY_THERE)).isEqualTo(3);
  }

  @Test
  void chatGpt_theBytesOfAnImageInTheFolderAreCarried() throws IOException {
    fixture("chatgpt.json");
    Files.createDirectory(folder.resolve("dalle-generations"));
    Files.write(folder.resolve("dalle-generations/file-abc123-temple.png"), PNG);
    assertThat(reasons(run(folder))).noneMatch(reason -> reason.contains("image"));
    assertThat(firstItem()).contains("data:image/png;base64,");
  }

  @Test
  void chatGpt_anImageThatCannotBeCarried_isToldAndNamed() throws IOException {
    byte[] large = Arrays.copyOf(PNG, 9 << 20);
    for (Object[] each :
        new Object[][] {
          {"file-abc123-temple.png", large, "there is no room"},
          {"file-abc123-temple.png", "<html>".getBytes(StandardCharsets.UTF_8), "is no PNG"},
          {"file-abc1234-other.png", PNG, "only the name"}
        }) {
      store.erase("");
      ImportReport report = run(zip((String) each[0], (byte[]) each[1]));
      assertThat(reasons(report)).anyMatch(reason -> reason.contains((String) each[2]));
      assertThat(firstItem()).contains("{\"type\":\"input_image\",\"file_id\":\"file-abc123\"}");
    }
  }

  @Test
  void libreChat_toolsThoughtsBranchesAndFiles() throws IOException {
    ImportReport report = run(fixture("librechat.json"));

    assertThat(texts("af1ea676"))
        .containsExactly("user: How much fuel?", "assistant: About nine litres.");
    assertThat(texts("af1ea676~m2"))
        .containsExactly(
            "user: How much fuel?",
            "thought: I look it up.",
            "call call_1 web_search {\"q\":\"fuel\"}",
            "result call_1 8.2 l",
            "assistant: 8.2 litres.");
    assertThat(info("af1ea676").title()).isEqualTo("Fuel");
    Entry last =
        store.session(SessionKey.of("af1ea676~m2")).entries(Range.latest(1)).entries().get(0);
    assertThat(last.notes()).containsEntry("output_tokens", 40L).containsEntry("model", "gpt-4o");
    assertThat(report.losses())
        .extracting(Losses.Loss::reason)
        .containsExactly("a file, of which the export has only the name");
  }

  @Test
  void openWebUi_itemsOfTheResponsesApiComeAsTheyAre() throws IOException {
    ImportReport report = run(fixture("openwebui.json"));

    assertThat(texts("tool-chat"))
        .containsExactly(
            "user: What's the weather in Paris?",
            "call call_1 get_weather {\"city\":\"Paris\"}",
            "result call_1 Paris: 18C, rain",
            "assistant: 18C with rain.");
    assertThat(texts("tool-chat~ta3")).endsWith("assistant: I do not know.");
    assertThat(store.session("tool-chat").getItems().get(0).json())
        .contains("\"image_url\":\"data:image/png;base64,AAAA\"");
    assertThat(store.session("tool-chat").getItems().get(3).id()).contains("m-2");
    assertThat(info("tool-chat").tags()).containsExactly("travel", "weather");
    assertThat(info("tool-chat").pinned()).isTrue();
    Entry last =
        store.session(SessionKey.of("tool-chat")).entries(Range.latest(1)).entries().get(0);
    assertThat(last.notes()).containsEntry("input_tokens", 21L).containsEntry("output_tokens", 9L);
    Instant said = Instant.parse("2023-11-14T22:30:20Z");
    assertThat(store.session(SessionKey.of("tool-chat")).entries(Range.latest(3)).entries())
        .allSatisfy(entry -> assertThat(entry.addedAt()).isEqualTo(said));
    assertThat(info("tool-chat").updatedAt()).isBefore(Instant.now().minusSeconds(3600));
    assertThat(report.losses()).isEmpty();
  }

  @Test
  void nanobotFolder_isCopiedAsItIsRead() throws IOException {
    Path sessions = Files.createDirectory(folder.resolve("sessions"));
    Files.writeString(
        sessions.resolve("feishu_oc_1.jsonl"),
        """
        {"type":"metadata","data":{"created_at":1767225600000,"updated_at":1767225600000}}
        {"type":"message","data":{"role":"user","content":"Hello","timestamp":1767225600000}}
        {"type":"message","data":{"role":"assistant","content":"Hi there!","timestamp":1767225601000}}
        """);
    ImportReport report = run(sessions);

    assertThat(report.count(Outcome.IMPORTED)).isEqualTo(1);
    assertThat(texts(store.session(sessions().get(0).key()).getItems()))
        .containsExactly("user: Hello", "assistant: Hi there!");
    assertThat(run(sessions).count(Outcome.ALREADY_THERE)).isEqualTo(1);
  }

  @Test
  void cutOffAnywhere_itIsRefusedWithThePlaceAndNothingIsWritten() throws IOException {
    byte[] whole = Files.readAllBytes(fixture("chatgpt.json"));
    ImportFormat format = ImportFormats.named("chatgpt");
    Path file = folder.resolve("cut.json");
    for (int length = 0; length < whole.length - 3; length += 97) {
      Files.write(file, java.util.Arrays.copyOf(whole, length));
      Import cut = Import.of(format, file.toString(), store);
      assertThatThrownBy(() -> cut.run(ImportListener.NONE))
          .isInstanceOf(BadSource.class)
          .hasMessageContaining("cut.json")
          .hasMessageContaining("line ")
          .hasMessageContaining("nothing was written");
    }
    assertThat(sessions()).isEmpty();
  }

  @Test
  void hostileDocuments_areRefusedAndNothingIsWritten() throws IOException {
    assertRefused("[{\"mapping\":" + "[".repeat(2000), "nested deeper than 1000 levels");
    assertRefused("{\"some\":\"object\"}", "nothing that chatgpt writes");
    assertRefused("", "there is no JSON in it");
    assertRefused("[] []", "text after the end");
    assertRefused("[{\"mapping\":{},\"n\":1e99999999999}]", "line 1, element 1");
    assertRefused(
        "[{\"mapping\":{},\"id\":\"a\\u0000b\",\"title\":\"x\"}]",
        "session id has the control character U+0000");
    assertRefused("[{\"mapping\":{},\"id\":\"" + "x".repeat(600) + "\"}]", "it must have 1 to 512");
    assertRefused("[{\"mapping\":{\"\u0080", "");
    Files.write(folder.resolve("h.json"), new byte[] {'[', '"', (byte) 0xff, '"', ']'});
    assertThatThrownBy(
            () ->
                Import.of(
                        ImportFormats.named("chatgpt"), folder.resolve("h.json").toString(), store)
                    .run(ImportListener.NONE))
        .hasMessageContaining("not valid UTF-8");
    assertThat(sessions()).isEmpty();
  }

  private void assertRefused(String document, String message) throws IOException {
    Path file = Files.writeString(folder.resolve("h.json"), document, StandardCharsets.UTF_8);
    assertThatThrownBy(
            () ->
                Import.of(ImportFormats.named("chatgpt"), file.toString(), store)
                    .run(ImportListener.NONE))
        .isInstanceOf(BadSource.class)
        .hasMessageContaining(message);
  }

  @Test
  void circlesAndLooseEnds_endSomewhere() throws IOException {
    Path file = folder.resolve("conversations.json");
    String message = "\"message\":{\"author\":{\"role\":\"user\"},\"content\":{\"parts\":[\"x\"]}}";
    Files.writeString(
        file,
        "[{\"id\":\"circle\",\"current_node\":\"a\",\"mapping\":{\"a\":{\"parent\":\"b\","
            + message
            + "},\"b\":{\"parent\":\"a\","
            + message
            + "}}},{\"id\":\"loose\",\"current_node\":\"nowhere\",\"mapping\":{\"c\":{\"parent\":\"gone\","
            + message
            + "}}},{\"id\":\"empty\",\"mapping\":{}}]");
    ImportReport report = run(file);

    assertThat(report.count(Outcome.IMPORTED)).isEqualTo(3);
    assertThat(texts("circle")).hasSize(2);
    assertThat(texts("loose")).hasSize(1);
    assertThat(info("empty").itemCount()).isZero();
  }

  @Test
  void anItemThatNoStoreTakes_isALossAndTheRestComes() throws IOException {
    Path file = folder.resolve("conversations.json");
    String big = "y".repeat(17 << 20);
    Files.writeString(
        file,
        "[{\"id\":\"s\",\"current_node\":\"b\",\"mapping\":{\"a\":{\"message\":{\"author\":{\"role\":\"user\"},"
            + "\"content\":{\"content_type\":\"text\",\"parts\":[\""
            + big
            + "\"]}}},\"b\":{\"parent\":\"a\",\"message\":{\"author\":{\"role\":\"user\"},"
            + "\"content\":{\"content_type\":\"text\",\"parts\":[\"small\"]}}}}}]");
    ImportReport report =
        Import.of(ImportFormats.named("chatgpt"), file.toString(), store).run(ImportListener.NONE);

    assertThat(texts("s")).containsExactly("user: small");
    assertThat(report.losses().get(0).reason()).contains("an item that no store takes", "bytes");
  }

  @Test
  void unknownNames_areAnsweredWithThoseThereAre() {
    assertThatThrownBy(() -> ImportFormats.named("gpt"))
        .hasMessageContainingAll("'gpt'", "chatgpt", "librechat", "spring-ai", "jsonl");
    assertThat(ImportFormats.of(folder.resolve("missing").toString())).isEmpty();
    assertThat(ImportFormats.of("\0")).isEmpty();
  }
}
