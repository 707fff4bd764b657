package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.Session;
import java.util.List;

/** C8, C10: what comes out is what went in. */
@Rule(
    "keep the text of an item as it is (Item.json) and give the same text back; only "
        + "white space between tokens may go")
interface LosslessRules extends SessionFixture {

  @EachFlavour
  default void everyHostileItem_comesBackAsItWas(Flavour flavour) {
    for (Item item : HostileItems.all()) {
      Session session = flavour.of(newSession());
      session.addItems(List.of(item));

      assertThat(session.getItems()).isEqualTo(List.of(item));
      assertThat(session.getItems(1)).isEqualTo(List.of(item));
      assertThat(session.popItem()).contains(item);
    }
  }

  @EachFlavour
  default void allHostileItemsTogether_comeBackAsTheyWere(Flavour flavour) {
    Session session = flavour.of(newSession());
    session.addItems(HostileItems.all());

    assertThat(session.getItems()).isEqualTo(HostileItems.all());
  }

  @EachFlavour
  default void theOrderOfKeys_isKept(Flavour flavour) {
    assertKept(flavour, HostileItems.KEY_ORDER);
  }

  @EachFlavour
  default void theTextOfNumbers_isKept(Flavour flavour) {
    assertKept(flavour, HostileItems.NUMBERS);
  }

  @EachFlavour
  default void escapes_stayEscapesAndRawCharactersStayRaw(Flavour flavour) {
    assertKept(flavour, HostileItems.ESCAPES);
    assertKept(flavour, "{\"content\":\"é \\u00e9 中 \\u4e2d 😀 \\ud83d\\ude00\"}");
  }

  @EachFlavour
  default void unknownTypesAndFields_areKept(Flavour flavour) {
    assertKept(flavour, "{\"type\":\"hologram_call\",\"hologram\":{\"frames\":[null,false]}}");
    assertKept(flavour, "{\"role\":\"user\",\"content\":\"hi\",\"provider_data\":{\"k\":[]}}");
  }

  @EachFlavour
  default void anItemWithoutAnId_getsNoneAndNoOtherField(Flavour flavour) {
    assertKept(flavour, "{\"role\":\"user\",\"content\":\"no id\"}");
    assertKept(flavour, "{}");
  }

  @EachFlavour
  default void whiteSpaceInsideOfTexts_isKept(Flavour flavour) {
    assertKept(flavour, "{\"content\":\"  two  spaces \\t and { \\\"a\\\" : 1 } \"}");
  }

  @EachFlavour
  default void callsAndOutputs_comeBackWithTheirViews(Flavour flavour) {
    Session session = flavour.of(newSession());
    List<Item> turn =
        List.of(
            Item.user("What is the weather in Oslo?"),
            Item.functionCall("call_1", "weather", "{\"city\": \"Oslo\",\"days\":1.0}"),
            Item.functionCallOutput("call_1", "{\"sky\":\"clear\"}"),
            Item.assistant("Clear."));
    session.addItems(turn);

    assertThat(session.getItems()).isEqualTo(turn);
    assertThat(session.getItems().stream().map(Item::view).toList())
        .isEqualTo(turn.stream().map(Item::view).toList());
  }

  private void assertKept(Flavour flavour, String json) {
    Session session = flavour.of(newSession());
    session.addItems(List.of(Item.parse(json)));

    assertThat(session.getItems()).hasSize(1);
    assertThat(session.getItems().get(0).json()).isEqualTo(json);
    assertThat(session.popItem().map(Item::json)).contains(json);
  }
}
