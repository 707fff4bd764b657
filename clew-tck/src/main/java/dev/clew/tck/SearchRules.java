package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.Capability;
import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SearchResult.Highlight;
import dev.clew.SearchResult.Hit;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** C19: searching. A store without {@link Capability#SEARCH} has to say so each time. */
@Rule(
    "search finds words in messages and tool outputs of one owner, in the archive too; "
        + "without Capability.SEARCH it throws NotSupported (see SearchQuery)")
interface SearchRules extends StoreFixture {
  /** What an owner says whose answers must not tell what others say. */
  List<String> OWN_TEXTS =
      List.of("g g c", "g c c", "the vault code is kestrel", "the vault code is kestrex", "g c");

  List<String> OWN_QUERIES =
      List.of(
          "g",
          "\"g\" \"c\"",
          "vault",
          "vault_code_is_k",
          "\"vault code\" kestrel",
          "kestrel",
          "kestre",
          "\"c c\"");

  @Test
  default void search_findsAWordAndWhereItStands() {
    StoredSession session = ann("1");
    session.addItems(Items.of("nothing here", "the Golden Gate Bridge", "nor here"));
    session.update(SessionUpdate.none().title("A trip"));

    for (Hit hit : found("ann", "bridge", 1)) {
      assertThat(hit.key()).isEqualTo(session.key());
      assertThat(hit.title()).isEqualTo("A trip");
      assertThat(hit.position()).isEqualTo(Items.position(session, 1));
      assertThat(hit.addedAt()).isEqualTo(clock().instant());
    }
    found("ann", "tunnel", 0);
  }

  @Test
  default void search_marksTheMatchesInTheSnippet() {
    ann("1")
        .addItems(Items.of("far away ".repeat(100) + "stands a lighthouse" + " alone".repeat(100)));

    for (Hit hit : found("ann", "lighthouse", 1)) {
      assertThat(hit.highlights()).isNotEmpty();
      for (Highlight mark : hit.highlights()) {
        assertThat(hit.snippet().substring(mark.start(), mark.end()).toLowerCase(Locale.ROOT))
            .isEqualTo("lighthouse");
      }
    }
  }

  @Test
  default void search_endsWhenNobodyWaitsForIt() {
    ann("1").addItems(Items.of("red apple", "green apple"));
    found("ann", "apple", 2); // which is indexed by now
    if (!store().traits().capabilities().contains(Capability.SEARCH)) {
      return;
    }

    SearchResult result = store().search(SearchQuery.of("ann", "apple").wanted(() -> false));
    assertThat(result.partial()).isTrue();
    assertThat(result.hits()).isEmpty();
  }

  @Test
  default void search_needsAllWords() {
    ann("1").addItems(Items.of("red apple", "green apple", "red car"));

    found("ann", "red apple", 1);
    found("ann", "apple red", 1);
    found("ann", "apple", 2);
    found("ann", "green car", 0);
  }

  @Test
  default void search_takesWordsInQuotesTogether() {
    ann("1").addItems(Items.of("the quick brown fox", "brown and quick"));

    found("ann", "\"quick brown\"", 1);
    found("ann", "quick brown", 2);
    found("ann", "\"brown quick\"", 0);
  }

  @Test
  default void search_takesTheLastWordAsABeginning() {
    ann("1").addItems(Items.of("a conversation about bridges"));

    found("ann", "bri", 1);
    found("ann", "conversation abo", 1);
    found("ann", "convers about", 0);
  }

  @Test
  default void search_ignoresCase() {
    ann("1").addItems(Items.of("SHOUTING about Überraschung"));

    found("ann", "shouting", 1);
    found("ann", "ÜBERRASCHUNG", 1);
  }

  @Test
  default void search_findsWordsOfOneAndTwoCharactersInChineseJapaneseAndKorean() {
    ann("1").addItems(Items.of("我喜欢北京烤鸭", "東京タワーに行きました", "한국어를 배워요", "plain"));

    found("ann", "鸭", 1);
    found("ann", "北京", 1);
    found("ann", "烤鸭", 1);
    found("ann", "東京", 1);
    found("ann", "タワー", 1);
    found("ann", "한국", 1);
    found("ann", "京北", 0);
  }

  @Test
  default void search_findsWordsWithAccents() {
    ann("1").addItems(Items.of("un café très sucré", "naïve façade", "el niño"));

    found("ann", "café", 1);
    found("ann", "façade", 1);
    found("ann", "niño", 1);
  }

  @Test
  default void search_findsCodeIdentifiers() {
    ann("1")
        .addItems(
            Items.of(
                "call getUserName() please",
                "the field user_account_id",
                "import java.util.concurrent",
                "error E4012 in x86_64"));

    found("ann", "getUserName", 1);
    found("ann", "user_account_id", 1);
    found("ann", "java.util.concurrent", 1);
    found("ann", "E4012", 1);
    found("ann", "x86_64", 1);
  }

  @Test
  default void search_findsEscapedText() {
    ann("1")
        .addItems(
            List.of(
                Item.parse("{\"role\":\"user\",\"content\":\"\\u5317\\u4eac caf\\u00e9\"}"),
                Item.parse("{\"role\":\"user\",\"content\":\"line\\nbreak\"}")));

    found("ann", "北京", 1);
    found("ann", "café", 1);
    found("ann", "nbreak", 0);
    found("ann", "break", 1);
  }

  @Test
  default void search_looksIntoMessagesAndToolOutputNotIntoJson() {
    ann("1")
        .addItems(
            List.of(
                Item.user("question"),
                Item.functionCall("call_77", "weather", "{}"),
                Item.functionCallOutput("call_77", "sunny intervals"),
                Item.assistant("pleasant")));

    found("ann", "question", 1);
    found("ann", "sunny", 1);
    found("ann", "pleasant", 1);
    for (String key : List.of("role", "content", "input_text", "type", "call_id")) {
      found("ann", key, 0);
    }
  }

  @Test
  default void search_findsEveryPartOfAMessage() {
    ann("1")
        .addItems(
            List.of(
                Item.parse(
                    "{\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"alpha\"},"
                        + "{\"type\":\"input_text\",\"text\":\"omega\"}]}")));

    found("ann", "alpha", 1);
    found("ann", "omega", 1);
  }

  @Tag("hostile")
  @Test
  default void search_findsOneOwnersSessionsOnly() {
    ann("1").addItems(Items.of("treasure of ann"));
    store().session(new SessionKey("bob", "1")).addItems(Items.of("treasure of bob"));
    store().session("1").addItems(Items.of("treasure of nobody"));
    store().session(new SessionKey("a%", "1")).addItems(Items.of("treasure of a pattern"));

    for (String owner : List.of("ann", "bob", "", "a%")) {
      assertThat(found(owner, "treasure", 1)).allMatch(hit -> hit.key().owner().equals(owner));
    }
    found("_nn", "treasure", 0);
  }

  @Test
  default void search_withinASession_findsNothingElsewhere() {
    ann("1").addItems(Items.of("needle"));
    ann("2").addItems(Items.of("needle"));

    for (Hit hit : found(SearchQuery.of("ann", "needle").within("2"), 1)) {
      assertThat(hit.key()).isEqualTo(new SessionKey("ann", "2"));
    }
    found(SearchQuery.of("ann", "needle").within("3"), 0);
  }

  @Test
  default void search_returnsAtMostTheLimitBestFirst() {
    for (int i = 0; i < 6; i++) {
      ann("s" + i).addItems(Items.of("needle in haystack " + i));
    }
    List<Hit> hits = found("ann", "needle", 6);

    assertThat(hits).extracting(Hit::score).isSortedAccordingTo((a, b) -> Double.compare(b, a));
    found(SearchQuery.of("ann", "needle").limit(4), 4);
  }

  @Test
  default void search_doesNotFindWhatIsGone() {
    StoredSession session = ann("1");
    session.addItems(Items.of("popped walrus", "removed walrus", "edited walrus", "last walrus"));
    found("ann", "walrus", 4);
    session.popItem();
    session.commit(Commit.removeItem(Items.position(session, 1)));
    session.commit(
        Commit.replaceItem(Items.position(session, 1), Draft.of(Item.user("edited penguin"))));

    found("ann", "walrus", 1);
    found("ann", "penguin", 1);
    session.clearSession();
    found("ann", "walrus", 0);
    found("ann", "penguin", 0);
    session.addItems(Items.of("a new walrus"));
    found("ann", "walrus", 1);
  }

  @Test
  default void search_findsWhatWasForkedAndReplaced() {
    StoredSession session = ann("1");
    session.addItems(Items.of("original giraffe", "tail"));
    session.fork("2", Items.position(session, 0));
    found("ann", "giraffe", 2);

    session.commit(Commit.dropPrefix(Items.position(session, 0), Items.of("zebra")));
    found(SearchQuery.of("ann", "giraffe").within("1"), 0);
    found(SearchQuery.of("ann", "zebra").within("1"), 1);
    found(SearchQuery.of("ann", "giraffe").within("2"), 1);
  }

  @Test
  default void search_doesNotFindExpiredSessions() {
    openWith(options().with(Duration.ofHours(1)));
    ann("1").addItems(Items.of("ephemeral"));
    found("ann", "ephemeral", 1);
    clock().advance(Duration.ofHours(2));

    found("ann", "ephemeral", 0);
  }

  @Test
  default void search_takesAnyTextAsWords() {
    ann("1").addItems(Items.of("ordinary words"));
    List<String> queries =
        List.of(
            "\"",
            "\"unbalanced",
            "a AND",
            "OR NOT",
            "NEAR(a b)",
            "*",
            "a*",
            "(",
            ")",
            "^",
            ":",
            "col:word",
            "-",
            "'; DROP TABLE x; --",
            "%",
            "_",
            "\\",
            "😀",
            "{}",
            "+-/",
            "\"\"");

    for (String query : queries) {
      found("ann", query, 0);
    }
    found("ann", "ordinary words", 1);
  }

  @Test
  default void search_findsWordsInALongHistory() {
    StoredSession session = ann("1");
    for (int batch = 0; batch < 5; batch++) {
      session.addItems(Items.numbered("batch" + batch + " item", 150));
    }
    session.addItems(Items.of("a lone okapi"));

    found("ann", "okapi", 1);
    found(SearchQuery.of("ann", "batch0").limit(1000), 150);
  }

  @Test
  default void whatOneHandleWrites_theOtherFindsUntilItIsErased() {
    SearchQuery query = SearchQuery.of("ann", "zanzibarian");
    SessionStore elsewhere = elsewhere();
    store().session(new SessionKey("ann", "1")).addItems(Items.of("a zanzibarian canary"));
    found(elsewhere, query, 1);

    store().erase("ann");
    found(elsewhere, query, 0);
  }

  /**
   * Not by the score, the order, the snippet or the number of hits does anybody learn what others
   * wrote. Only positions may count for all owners.
   */
  @Tag("hostile")
  @Test
  default void search_answersWithOneOwnersTextsAlone() {
    StoredSession first = ann("1");
    StoredSession second = ann("2");
    for (String text : OWN_TEXTS) {
      first.addItems(Items.of(text));
      clock().advance(Duration.ofSeconds(1));
      second.addItems(Items.of(text, text));
    }
    List<List<Object>> alone = answers("ann");

    for (String other : List.of("bob", "", "ann2")) {
      others(other);
      assertThat(answers("ann")).as("after '%s' wrote", other).isEqualTo(alone);
    }
    StoredSession edited = store().session(new SessionKey("bob", "0"));
    edited.commit(Commit.replacePrefix(Items.position(edited, 20), Items.of("g c vault code")));
    edited.commit(Commit.replaceItem(Items.position(edited, 3), Draft.of(Item.user("kestrel g"))));
    assertThat(answers("ann")).as("after others edited").isEqualTo(alone);
    store().session(new SessionKey("bob", "1")).delete();
    store().erase("ann2");
    assertThat(answers("ann")).as("after others deleted and erased").isEqualTo(alone);

    StoredSession later = store().session(new SessionKey("eve", "1"));
    StoredSession alike = store().session(new SessionKey("adam", "1"));
    alike.addItems(Items.of(OWN_TEXTS.toArray(String[]::new)));
    for (String text : OWN_TEXTS) {
      later.addItems(Items.of(text));
      others("bob");
    }
    clock().advance(Duration.ofSeconds(1));
    assertThat(scores("eve")).as("written among others").isEqualTo(scores("adam"));
  }

  /** A store may rank only the newest matches; which those are, others do not decide. */
  @Tag("hostile")
  @Test
  default void search_ofMoreMatchesThanAreRanked_isTheSameWhateverOthersWrite() {
    ann("old").addItems(Items.of(Collections.nCopies(60, "g g g g g g").toArray(String[]::new)));
    ann("new").addItems(Items.of(Collections.nCopies(990, "g and more").toArray(String[]::new)));
    SearchQuery query = SearchQuery.of("ann", "g").limit(100);
    complete(store(), query);
    ann("new").addItems(Items.of(Collections.nCopies(60, "g newest").toArray(String[]::new)));
    List<Hit> alone = complete(store(), query).hits();

    String[] straw = Collections.nCopies(300, "straw").toArray(String[]::new);
    store().session(new SessionKey("bob", "1")).addItems(Items.of(straw));
    assertThat(complete(store(), query).hits()).isEqualTo(alone);
  }

  private void others(String owner) {
    for (int session = 0; session < 2; session++) {
      StoredSession other = store().session(new SessionKey(owner, String.valueOf(session)));
      for (String text : OWN_TEXTS) {
        other.addItems(Items.of(text, "g", "c", text + " " + "g ".repeat(50), "vault kestr"));
      }
    }
  }

  /** All that a caller gets to see, with each position as its place in the session. */
  private List<List<Object>> answers(String owner) {
    List<List<Object>> answers = new ArrayList<>();
    for (String query : OWN_QUERIES) {
      for (Hit hit : complete(store(), SearchQuery.of(owner, query).limit(7)).hits()) {
        answers.add(
            List.of(
                query,
                hit.key(),
                place(hit),
                hit.title(),
                hit.addedAt(),
                hit.score(),
                hit.snippet(),
                hit.highlights()));
      }
    }
    return answers;
  }

  private List<List<Object>> scores(String owner) {
    return answers(owner).stream()
        .map(answer -> List.of(answer.get(0), answer.get(2), answer.get(5), answer.get(6)))
        .toList();
  }

  private int place(Hit hit) {
    return Items.positions(store().session(hit.key())).indexOf(hit.position());
  }

  private StoredSession ann(String id) {
    return store().session(new SessionKey("ann", id));
  }

  private List<Hit> found(String owner, String text, int expected) {
    return found(SearchQuery.of(owner, text), expected);
  }

  /** Searches, and checks how much is found; nothing, with an error, where there is no search. */
  private List<Hit> found(SearchQuery query, int expected) {
    return found(store(), query, expected);
  }

  private static List<Hit> found(SessionStore store, SearchQuery query, int expected) {
    if (!store.traits().capabilities().contains(Capability.SEARCH)) {
      complete(store, query);
      return List.of();
    }
    SearchResult result = complete(store, query);
    assertThat(result.hits()).as("hits of %s", query).hasSize(expected);
    return result.hits();
  }

  private static SearchResult complete(SessionStore store, SearchQuery query) {
    if (!store.traits().capabilities().contains(Capability.SEARCH)) {
      assertThatThrownBy(() -> store.search(query)).isInstanceOf(ClewException.NotSupported.class);
      return new SearchResult(List.of(), false);
    }
    return Await.until(
        () -> "the index has caught up", () -> store.search(query), answer -> !answer.partial());
  }
}
