package dev.clew.server.internal.responses;

import dev.clew.json.JsonObject;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.EventStream;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.responses.StoredResponse.Phase;
import dev.clew.server.internal.runs.EventLog;
import dev.clew.server.internal.runs.EventLog.Event;
import dev.clew.server.internal.runs.EventLogs;
import dev.clew.server.internal.runs.RunKey;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Streams the events of responses. Thread-safe. */
record ResponseStreams(EventLogs logs, ResponseRecords records) {
  private static final Set<String> LAST =
      Set.of("response.completed", "response.incomplete", "response.failed");

  EventStream follow(Call call, EventLog log) {
    EventStream stream = call.stream();
    logs.follow(log, stream, ResponseStreams::send);
    return stream;
  }

  /** Streams the events after a number, of a response at any server. */
  void resume(Call call, StoredResponse response, long after) {
    RunKey key = RunKey.alone(response.owner(), response.id());
    if (response.phase() == Phase.DONE && !logs.exists(key)) {
      throw Problem.invalid(
          "invalid_value",
          "stream",
          "This response cannot be streamed: it was not created with 'stream' or 'background', or"
              + " its events are not kept any more. Retrieve it without 'stream'.");
    }
    logs.follow(key, after, call.stream(), ResponseStreams::send, last -> end(response, last));
  }

  private Optional<List<Event>> end(StoredResponse response, long last) {
    return records
        .find(response.owner(), response.id())
        .filter(found -> found.phase() == Phase.DONE)
        .map(
            found -> {
              String type = ResponseTurn.terminal(found.response());
              JsonObject data =
                  new JsonObject()
                      .put("type", type)
                      .put("sequence_number", last + 1)
                      .raw("response", found.response());
              return List.of(new Event(last + 1, type, data.toString()));
            });
  }

  private static void send(EventStream stream, Event event) {
    stream.send(event.name(), event.data());
    if (LAST.contains(event.name())) {
      stream.sendData("[DONE]");
    }
  }
}
