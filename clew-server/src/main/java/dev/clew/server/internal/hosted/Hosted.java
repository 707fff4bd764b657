package dev.clew.server.internal.hosted;

import dev.clew.Item;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.wire.ConversationIds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What one response does with MCP servers. Immutable but for its connections; close it when the
 * response is over.
 *
 * @param servers those that this server calls
 * @param listed the tools of each server that are in the context
 * @param approved calls to do first
 */
public record Hosted(
    List<HostedServer> servers, List<Optional<List<String>>> listed, List<Approved> approved)
    implements AutoCloseable {
  public static final Hosted NOTHING = new Hosted(List.of(), List.of(), List.of());

  /**
   * A call that was approved.
   *
   * @param place of the approval in the request
   * @param callId a new one
   */
  public record Approved(
      String request,
      String place,
      HostedServer server,
      String tool,
      String arguments,
      String callId) {}

  static Hosted of(
      List<HostedServer> servers, List<Item> history, List<Item> input, boolean elsewhere) {
    List<Item> context = new ArrayList<>(history);
    context.addAll(input);
    List<Approved> approved = approvals(servers, history, input, context, elsewhere);
    if (servers.isEmpty()) {
      return NOTHING;
    }
    approved.forEach(each -> each.server().approve(each.callId(), each.request()));
    return new Hosted(
        List.copyOf(servers),
        servers.stream().map(server -> HostedItems.tools(context, server.label())).toList(),
        approved);
  }

  /** The calls to do; {@code elsewhere} there are other servers, which the provider calls. */
  private static List<Approved> approvals(
      List<HostedServer> servers,
      List<Item> history,
      List<Item> input,
      List<Item> context,
      boolean elsewhere) {
    Set<String> answered = new HashSet<>();
    Set<String> called = new HashSet<>();
    for (Item item : context) {
      if (item.type().equals(HostedItems.CALL)) {
        HostedItems.text(item, "approval_request_id").ifPresent(called::add);
      }
    }
    history.stream()
        .filter(item -> item.type().equals(HostedItems.RESPONSE))
        .forEach(item -> HostedItems.text(item, "approval_request_id").ifPresent(answered::add));
    List<Approved> approved = new ArrayList<>();
    for (int i = 0; i < input.size(); i++) {
      Item item = input.get(i);
      if (!item.type().equals(HostedItems.RESPONSE)) {
        continue;
      }
      String place = "input[" + i + "].approval_request_id";
      String id =
          HostedItems.text(item, "approval_request_id").orElseThrow(() -> Problem.missing(place));
      Optional<Item> found =
          context.stream()
              .filter(each -> each.type().equals(HostedItems.REQUEST))
              .filter(each -> each.id().equals(Optional.of(id)))
              .findFirst();
      if (elsewhere && found.flatMap(each -> server(servers, each)).isEmpty()) {
        continue; // the provider knows it, or refuses it
      }
      if (!answered.add(id)) {
        throw Problem.invalidValue(place, "the request '" + id + "' is answered already");
      }
      Item request =
          found.orElseThrow(() -> Problem.invalidValue(place, "there is no request '" + id + "'"));
      if ("true".equals(HostedItems.fields(item).get("approve")) && !called.contains(id)) {
        approved.add(approved(servers, context, request, id, place));
      }
    }
    return approved;
  }

  private static Optional<HostedServer> server(List<HostedServer> servers, Item request) {
    Optional<String> label = HostedItems.text(request, "server_label");
    return servers.stream().filter(each -> Optional.of(each.label()).equals(label)).findFirst();
  }

  private static Approved approved(
      List<HostedServer> servers, List<Item> context, Item request, String id, String place) {
    HostedServer server =
        server(servers, request)
            .orElseThrow(
                () ->
                    Problem.invalidValue(
                        "tools",
                        "the approved call is one of the MCP server '"
                            + HostedItems.text(request, "server_label").orElse("")
                            + "', which is not among the tools; send it again, with its"
                            + " credentials"));
    String tool = HostedItems.text(request, "name").orElse("");
    if (!server.mayOffer(tool, HostedItems.tools(context, server.label()).orElse(List.of()))) {
      throw Problem.invalidValue(
          "tools",
          "the approved call is one of '"
              + tool
              + "', which the 'allowed_tools' of the MCP server '"
              + server.label()
              + "' leave out; the approval can still be used");
    }
    return new Approved(
        id,
        place,
        server,
        tool,
        HostedItems.text(request, "arguments").orElse("{}"),
        ConversationIds.random("call_", 24));
  }

  /**
   * Uses the approvals, each of which allows one call.
   *
   * @throws Problem if one was used before
   */
  public void use(Approvals approvals, String owner, String response) {
    for (Approved each : approved) {
      each.server()
          .may(each.callId(), approvals.mark(owner, each.request(), response, each.place()));
    }
  }

  public boolean isNothing() {
    return servers.isEmpty();
  }

  /** A context without the approvals of calls that are done now. */
  public List<Item> withoutApproved(List<Item> context) {
    if (approved.isEmpty()) {
      return context;
    }
    Set<String> ids = new HashSet<>();
    approved.forEach(each -> ids.add(each.request()));
    return context.stream().filter(item -> !isAbout(ids, item)).toList();
  }

  private static boolean isAbout(Set<String> requests, Item item) {
    return switch (item.type()) {
      case HostedItems.REQUEST -> item.id().filter(requests::contains).isPresent();
      case HostedItems.RESPONSE ->
          HostedItems.text(item, "approval_request_id").filter(requests::contains).isPresent();
      default -> false;
    };
  }

  @Override
  public void close() {
    servers.forEach(HostedServer::close);
  }
}
