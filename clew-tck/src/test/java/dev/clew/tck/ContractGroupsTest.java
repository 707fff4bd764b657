package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No group of rules is left out of the contract, and none is empty. */
class ContractGroupsTest {

  @Test
  void everyGroupOfRules_isPartOfTheStoreContract() throws IOException {
    try (Stream<Path> sources = Files.list(Path.of("src/main/java/dev/clew/tck"))) {
      assertThat(
              sources
                  .map(source -> source.getFileName().toString())
                  .filter(name -> name.endsWith("Rules.java"))
                  .map(name -> name.substring(0, name.length() - ".java".length())))
          .containsExactlyInAnyOrderElementsOf(
              Arrays.stream(StoreContract.class.getInterfaces())
                  .map(Class::getSimpleName)
                  .toList());
    }
  }

  @Test
  void theSessionContract_isPartOfTheStoreContract() {
    assertThat(behaviours(SessionContract.class)).isNotEmpty();
    assertThat(behaviours(StoreContract.class)).containsAll(behaviours(SessionContract.class));
  }

  @Test
  void everyGroupOfRules_hasTestsAndSaysWhatItAsksFor() {
    for (Class<?> group : StoreContract.class.getInterfaces()) {
      assertThat(group.getDeclaredMethods())
          .as(group.getSimpleName())
          .anyMatch(ContractGroupsTest::isTest);
      assertThat(group.getAnnotation(Rule.class)).as(group.getSimpleName()).isNotNull();
    }
  }

  private static Set<String> behaviours(Class<?> contract) {
    return Arrays.stream(contract.getMethods())
        .filter(ContractGroupsTest::isTest)
        .map(Method::getName)
        .collect(Collectors.toSet());
  }

  private static boolean isTest(Method method) {
    return method.isAnnotationPresent(Test.class) || method.isAnnotationPresent(EachFlavour.class);
  }
}
