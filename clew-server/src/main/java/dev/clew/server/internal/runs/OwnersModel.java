package dev.clew.server.internal.runs;

import dev.clew.agent.CompactionRequest;
import dev.clew.agent.Compactor;
import dev.clew.agent.Model;
import dev.clew.agent.ModelEvent;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.ModelResponse;
import dev.clew.server.internal.telemetry.Telemetry;
import dev.clew.server.settings.ServerModels;
import java.util.Optional;
import java.util.function.Consumer;

/** A model that sees the content of an owner's sealed items. As thread-safe as the model. */
public record OwnersModel(Model model, CompactionSeal seal, String owner) implements Model {
  public record Models(ServerModels models, CompactionSeal seal) {
    public OwnersModel of(String owner) {
      return new OwnersModel(Telemetry.here(models.first()), seal, owner);
    }

    public OwnersModel of(String owner, String name) {
      return new OwnersModel(Telemetry.here(models.named(name)), seal, owner);
    }
  }

  @Override
  public ModelResponse respond(ModelRequest request) {
    return model.respond(opened(request));
  }

  @Override
  public ModelResponse stream(ModelRequest request, Consumer<ModelEvent> listener) {
    return model.stream(opened(request), listener);
  }

  @Override
  public boolean takesTools(String type) {
    return model.takesTools(type);
  }

  private ModelRequest opened(ModelRequest request) {
    if (request.input().stream().noneMatch(CompactionSeal::isOurs)) {
      return request;
    }
    return request.input(
        new CompactionRequest(seal.openOurs(owner, request.input()), Optional.empty(), false)
            .modelInput());
  }

  /** A compactor that also reads sealed summaries. */
  public Compactor summarising() {
    return summarising("");
  }

  /** The same, with further instructions for the summary. */
  public Compactor summarising(String instructions) {
    Compactor summary = Compactor.summary(model, instructions);
    return request ->
        summary.compact(
            new CompactionRequest(
                seal.openOurs(owner, request.items()),
                request.responseId(),
                request.intoOneItem()));
  }
}
