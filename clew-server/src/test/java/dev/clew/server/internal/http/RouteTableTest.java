package dev.clew.server.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.server.internal.http.Route.Method;
import dev.clew.server.operate.Scope;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RouteTableTest {
  private final RouteTable table =
      new RouteTable(
          List.of(
              route(Method.GET, "/"),
              route(Method.GET, "/things"),
              route(Method.POST, "/things/special"),
              route(Method.GET, "/things/{id}"),
              route(Method.POST, "/things/{id}"),
              route(Method.GET, "/things/{thing_id}/parts/{part_id}"),
              route(Method.GET, "/files/{version}/<name>")));

  private static Route route(Method method, String path) {
    return new Route(method, path, Scope.OPEN, "", Route.Waits.BRIEFLY, 0, call -> {});
  }

  private String find(Method method, String path) {
    return table
        .find(method, path)
        .map(match -> match.route().path() + " " + match.parameters())
        .orElse("none");
  }

  @Test
  void aPath_findsTheRouteThatIsWrittenLikeIt() {
    assertThat(find(Method.GET, "/")).isEqualTo("/ {}");
    assertThat(find(Method.GET, "/things")).isEqualTo("/things {}");
    assertThat(find(Method.GET, "/things/7")).isEqualTo("/things/{id} {id=7}");
    assertThat(table.find(Method.GET, "/things/7/parts/x").orElseThrow().parameters())
        .isEqualTo(Map.of("thing_id", "7", "part_id", "x"));
  }

  @Test
  void wordsGoBeforeParameters_andOnlyForTheirMethod() {
    assertThat(find(Method.POST, "/things/special")).isEqualTo("/things/special {}");
    assertThat(find(Method.GET, "/things/special")).isEqualTo("/things/{id} {id=special}");
    assertThat(find(Method.GET, "/things/special/parts/1"))
        .isEqualTo("/things/{thing_id}/parts/{part_id} {thing_id=special, part_id=1}");
  }

  @Test
  void oneSlashAtTheEnd_changesNothing() {
    assertThat(find(Method.GET, "/things/")).isEqualTo("/things {}");
    assertThat(find(Method.GET, "/things/7/")).isEqualTo("/things/{id} {id=7}");
    assertThat(find(Method.GET, "/things//")).isEqualTo("none");
    assertThat(find(Method.GET, "//things")).isEqualTo("none");
  }

  @Test
  void whatIsEncoded_isDecodedBehindTheSearch() {
    assertThat(find(Method.GET, "/things/a%2Fb+%c3%a9")).isEqualTo("/things/{id} {id=a/b+\u00e9}");
    assertThat(find(Method.GET, "/%74hings")).isEqualTo("none");
  }

  @Test
  void anglesTakeAllThatIsLeft() {
    assertThat(find(Method.GET, "/files/1/a/b.js"))
        .isEqualTo("/files/{version}/<name> {version=1, name=a/b.js}");
    assertThat(find(Method.GET, "/files/1/")).isEqualTo("none");
  }

  @Test
  void otherPathsAndMethods_findNothing() {
    assertThat(find(Method.GET, "/other")).isEqualTo("none");
    assertThat(find(Method.DELETE, "/things")).isEqualTo("none");
    assertThat(find(Method.GET, "/things/7/parts")).isEqualTo("none");
    assertThat(find(Method.GET, "things")).isEqualTo("none");
    assertThat(find(Method.GET, "")).isEqualTo("none");
  }
}
