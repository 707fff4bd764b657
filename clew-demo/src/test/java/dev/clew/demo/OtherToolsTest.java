package dev.clew.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.View;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.ModelResponse;
import dev.clew.agent.ModelSettings;
import dev.clew.agent.ToolSpec;
import dev.clew.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The offline model calls functions it was never told about. */
class OtherToolsTest {
  private static final ToolSpec WEATHER =
      tool(
          "get_weather",
          "Get the current weather for a location",
          "{'location':{'type':'string'},'unit':{'type':'string','enum':['celsius','fahrenheit']}}",
          "'location'");
  private static final ToolSpec FLIGHTS =
      tool(
          "searchFlights",
          "",
          "{'from':{'type':'string'},'to':{'type':'string'},'seats':{'type':'integer'},"
              + "'direct':{'type':['boolean','null']}}",
          "'from','to','seats'");
  private static final ToolSpec STOCK =
      tool("stock", "查询商品库存", "{'item':{'type':'string'}}", "'item'");

  private final OfflineModel model = new OfflineModel();
  private ModelSettings settings = ModelSettings.DEFAULT;

  private static ToolSpec tool(String name, String description, String properties, String needed) {
    String schema = "{'type':'object','properties':" + properties + ",'required':[" + needed + "]}";
    return new ToolSpec(name, description, schema.replace('\'', '"'), false);
  }

  private ModelResponse ask(List<Item> input) {
    return model.respond(
        new ModelRequest(
            "",
            "",
            input,
            List.of(WEATHER, FLIGHTS, STOCK),
            Optional.empty(),
            settings,
            Optional.empty(),
            Optional.empty()));
  }

  private View answer(String... said) {
    List<Item> input = new ArrayList<>();
    for (String each : said) {
      input.add(Item.user(each));
    }
    return ask(input).output().get(0).view();
  }

  private static Map<String, Object> arguments(View call) {
    return Json.readObject(((View.FunctionCall) call).arguments());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "What's the weather like in San Francisco? | get_weather | {\"location\":\"San Francisco\"}",
        "weather for Portland, OR in fahrenheit | get_weather | {\"location\":\"Portland, OR\",\"unit\":\"fahrenheit\"}",
        "search flights to Paris from Oslo, 2 seats | searchFlights | {\"from\":\"Oslo\",\"to\":\"Paris\",\"seats\":2}",
        "苹果还有库存吗 | stock | {\"item\":\"苹果还有库存吗\"}",
      })
  void theToolThatSharesWordsIsCalledWithWhatWasSaid(String said, String tool, String arguments) {
    View.FunctionCall call = (View.FunctionCall) answer(said);
    assertThat(call.name()).isEqualTo(tool);
    assertThat(Json.readObject(call.arguments())).isEqualTo(Json.readObject(arguments));
  }

  @Test
  void aNameMayHaveBeenSaidBefore() {
    assertThat(arguments(answer("My name is Ada. I live in Oslo.", "What is the weather there?")))
        .containsEntry("location", "Oslo");
  }

  @Test
  void whatTheToolSaidIsTheAnswer_alsoIfItIsNotGivenAgain() {
    List<Item> items =
        List.of(
            Item.user("the weather in Oslo?"),
            Item.functionCall("call_1", "get_weather", "{\"location\":\"Oslo\"}"),
            Item.functionCallOutput("call_1", "18 degrees"));
    assertThat(model.respond(ModelRequest.of("", items))).isEqualTo(ask(items));
    ModelResponse answer = ask(items);
    assertThat(((View.Message) answer.output().get(0).view()).text())
        .isEqualTo("get_weather says: 18 degrees");
  }

  @Test
  void noToolIsCalledThatWasNotMeant_orWithoutWhatItNeeds_orAgainstTheChoice() {
    assertThat(answer("hello")).isInstanceOf(View.Message.class);
    assertThat(answer("search flights to Paris from Oslo")).isInstanceOf(View.Message.class);
    settings = settings.toolChoice("none");
    assertThat(answer("the weather in Oslo?")).isInstanceOf(View.Message.class);
  }

  @Test
  void aToolThatMustBeCalledIsCalled() {
    settings = settings.toolChoice("stock");
    assertThat(((View.FunctionCall) answer("the weather in Oslo?")).name()).isEqualTo("stock");
    settings = settings.toolChoice("required");
    assertThat(((View.FunctionCall) answer("the weather in Oslo?")).name())
        .isEqualTo("get_weather");
    assertThat(answer("hello")).isInstanceOf(View.FunctionCall.class);
  }
}
