package dev.clew.adk;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.adk.events.Event;
import com.google.adk.sessions.GetSessionConfig;
import com.google.adk.sessions.State;
import com.google.genai.types.Part;
import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.Stores;
import dev.clew.json.Json;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events as items and back. */
class EventCodecTest {
  private final SessionStore store = Stores.open("memory:");
  private final ClewSessionService service =
      ClewSessionService.builder(store).agentName("guide").repair(false).build();

  @BeforeEach
  void create() {
    service.createSession("app", "ann", Map.of(), "s").ignoreElement().blockingAwait();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private StoredSession session() {
    return store.session(AdkNames.session("app", "ann", "s"));
  }

  private List<Entry> entries() {
    return session().entries(Range.latest(100)).entries();
  }

  private List<Event> events() {
    return service.getSession("app", "ann", "s", Optional.empty()).blockingGet().events();
  }

  private Event append(String json) {
    var copy = service.getSession("app", "ann", "s", Optional.empty()).blockingGet();
    return service.appendEvent(copy, Event.fromJson(json)).blockingGet();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'author':'user','content':{'role':'user','parts':[{'text':'Hello'}]}}",
        "{'author':'user','content':{'role':'user','parts':[{'text':'Look'},{'text':''},"
            + "{'inlineData':{'data':'AAEC/+8=','mimeType':'image/png','displayName':'x'}},"
            + "{'inlineData':{'data':'AAEC','mimeType':'audio/wav'}},"
            + "{'inlineData':{'data':'AAEC','mimeType':'application/pdf'}},"
            + "{'fileData':{'fileUri':'gs://b/i.png','mimeType':'image/png'}},"
            + "{'fileData':{'fileUri':'gs://b/i.mp4','mimeType':'video/mp4'},"
            + "'videoMetadata':{'startOffset':'PT1S'}}]}}",
        "{'author':'guide','branch':'a.b','partial':false,'content':{'role':'model','parts':["
            + "{'text':'hm','thought':true,'thoughtSignature':'c2ln'},{'text':'I ask.'},"
            + "{'functionCall':{'id':'c1','name':'f','args':{'n':1,'x':1.50,'t':null,'l':[true]}},"
            + "'thoughtSignature':'c2ln'},{'functionCall':{'id':'c2','name':'g','args':{}}}]},"
            + "'longRunningToolIds':['c2'],'avgLogprobs':-0.25,"
            + "'usageMetadata':{'totalTokenCount':7}}",
        "{'author':'guide','content':{'role':'user','parts':["
            + "{'functionResponse':{'id':'c1','name':'f','response':{'r':[1,2.0],'u':'ä'}}}]}}",
        "{'author':'guide','content':{'role':'model','parts':[{'text':'See'},"
            + "{'executableCode':{'code':'1+1','language':'PYTHON'}},{'text':'so 2'},"
            + "{'codeExecutionResult':{'outcome':'OUTCOME_OK','output':'2'}}]}}",
        "{'author':'guide','content':{'role':'model','parts':[{'functionCall':{'name':'noId'}}]}}",
        "{'author':'guide','content':{'role':'model','parts':[]}}",
        "{'author':'guide','actions':{'transferToAgent':'other','artifactDelta':{'a.txt':1}}}",
      })
  void anEventComesBackAsItWas(String json) {
    Event event =
        append(
            json.replace('\'', '"')
                .replaceFirst("\\{", "{\"id\":\"e\",\"invocationId\":\"i\",\"timestamp\":1000,"));
    assertThat(events()).extracting(Event::toJson).containsExactly(event.toJson());
    // The items and the rest suffice.
    assertThat(entries()).noneMatch(entry -> Json.write(entry.notes()).contains("\"raw\":"));
  }

  @Test
  void partsAreItemsThatOthersUnderstand() {
    append(
        """
        {"id":"e","invocationId":"i","author":"guide","timestamp":1000,"content":{"role":"model",
        "parts":[{"text":"hm","thought":true,"thoughtSignature":"c2ln"},{"text":"I ask."},
        {"functionCall":{"id":"c1","name":"f","args":{"n":1}}}]}}
        """);

    assertThat(entries())
        .extracting(entry -> entry.item().type())
        .containsExactly("reasoning", "message", "function_call");
    assertThat(entries().get(1).item()).isEqualTo(Item.assistant("I ask."));
    assertThat(entries().get(2).item()).isEqualTo(Item.functionCall("c1", "f", "{\"n\":1}"));
    // Only Google's models can read the signature.
    assertThat(entries().get(0).notes()).containsEntry("provider", "google");
    // The text is kept once.
    assertThat(entries().get(0).notes().toString()).doesNotContain("I ask.", "hm", "raw");
  }

  @Test
  void anEventOfManyItemsIsReadAsAWhole() {
    append("{\"id\":\"u\",\"author\":\"user\",\"content\":{\"parts\":[{\"text\":\"?\"}]}}");
    String parts =
        String.join(
            ",", Collections.nCopies(50, "{\"text\":\"a\",\"thought\":true},{\"text\":\"b\"}"));
    append("{\"id\":\"e\",\"author\":\"guide\",\"content\":{\"parts\":[" + parts + "]}}");
    append("{\"id\":\"f\",\"author\":\"guide\",\"content\":{\"parts\":[{\"text\":\"c\"}]}}");
    assertThat(entries()).hasSize(100);

    GetSessionConfig two = GetSessionConfig.builder().numRecentEvents(2).build();
    assertThat(service.getSession("app", "ann", "s", Optional.of(two)).blockingGet().events())
        .extracting(Event::id)
        .containsExactly("e", "f");
  }

  @Test
  void anEventWithoutPartsIsAnItemForNoModel() {
    append("{\"id\":\"e\",\"author\":\"guide\",\"actions\":{\"escalate\":true}}");

    assertThat(entries()).extracting(entry -> entry.item().type()).containsExactly("adk_message");
  }

  @Test
  void aRemovedKeyIsReadAsRemoved() {
    Event event = Event.fromJson("{\"id\":\"e\",\"author\":\"guide\"}");
    event.actions().removeStateByKey("k");
    var copy = service.getSession("app", "ann", "s", Optional.empty()).blockingGet();
    service.appendEvent(copy, event).ignoreElement().blockingAwait();

    assertThat(events().get(0).actions().stateDelta().get("k")).isSameAs(State.REMOVED);
  }

  @Test
  void fieldsOfANewerVersionStayStored() {
    append("{\"id\":\"e\",\"author\":\"user\",\"content\":{\"parts\":[{\"text\":\"Hello\"}]}}");
    Entry entry = entries().get(0);
    String note = Json.write(entry.notes());
    String newer = note.replace("{\\\"event\\\":{", "{\\\"event\\\":{\\\"agentState\\\":{},");
    assertThat(newer).isNotEqualTo(note);
    session()
        .commit(
            Commit.replaceItem(entry.position(), new Draft(entry.item(), Json.readObject(newer))));

    assertThat(events()).extracting(Event::stringifyContent).containsExactly("Hello");
    append("{\"id\":\"f\",\"author\":\"guide\",\"content\":{\"parts\":[{\"text\":\"Hi\"}]}}");
    assertThat(entries().get(0).notes().toString()).contains("agentState");
  }

  @Test
  void whatOtherProgramsWroteIsRead() {
    session()
        .addItems(
            List.of(
                Item.system("Be brief."),
                Item.user("Weather?"),
                Item.functionCall("c", "weather", "{\"city\":\"Rome\"}"),
                Item.functionCallOutput("c", "sunny"),
                Item.assistant("Sunny.")));

    List<Event> events = events();
    assertThat(events).extracting(Event::author).containsExactly("user", "guide", "guide", "guide");
    assertThat(events.get(1).functionCalls().get(0).args().orElseThrow())
        .containsEntry("city", "Rome");
    assertThat(events.get(2).functionResponses().get(0).name()).contains("weather");
    assertThat(events.get(3).stringifyContent()).isEqualTo("Sunny.");
    assertThat(events).extracting(Event::id).doesNotHaveDuplicates().noneMatch(String::isEmpty);
    assertThat(events).allMatch(event -> event.timestamp() > 0);
  }

  @Test
  void mediaThatOtherProgramsWroteIsShown() {
    session()
        .addItems(
            List.of(
                Item.parse(
                    """
                    {"type":"message","role":"user","content":[
                    {"type":"input_text","text":"Look"},
                    {"type":"input_image","image_url":"data:image/gif;base64,AAEC"},
                    {"type":"input_image","image_url":"https://a.b/c.jpg?w=1"},
                    {"type":"input_audio","input_audio":{"data":"AAEC","format":"mp3"}},
                    {"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,AAEC"}
                    ]}\
                    """),
                Item.parse(
                    """
                    {"type":"message","role":"user","content":[
                    {"type":"input_image","image_url":"https://a.b/c"}]}\
                    """)));

    List<Part> parts = events().get(0).content().orElseThrow().parts().orElseThrow();
    assertThat(parts.get(0).text()).contains("Look");
    assertThat(parts.get(1).inlineData().orElseThrow().data()).contains(new byte[] {0, 1, 2});
    assertThat(parts.get(1).inlineData().orElseThrow().mimeType()).contains("image/gif");
    assertThat(parts.get(2).fileData().orElseThrow().fileUri()).contains("https://a.b/c.jpg?w=1");
    assertThat(parts.get(2).fileData().orElseThrow().mimeType()).contains("image/jpeg");
    assertThat(parts.get(3).inlineData().orElseThrow().mimeType()).contains("audio/mpeg");
    assertThat(parts.get(4).inlineData().orElseThrow().displayName()).contains("a.pdf");
    assertThat(events().get(1).content().orElseThrow().parts().orElseThrow()).hasSize(1);
  }
}
