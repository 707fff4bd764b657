package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** How much the contract covers; blocking and asynchronous calls of one behaviour are one. */
class ContractSizeTest {

  @Test
  void theStoreContract_hasAtLeastAHundredAndTwentyBehaviours() {
    assertThat(behaviours(StoreContract.class)).hasSizeGreaterThanOrEqualTo(120);
  }

  @Test
  void theSessionContract_isPartOfTheStoreContract() {
    assertThat(behaviours(StoreContract.class)).containsAll(behaviours(SessionContract.class));
    assertThat(behaviours(SessionContract.class)).hasSizeGreaterThanOrEqualTo(40);
  }

  @Test
  void everyGroupOfRules_hasTests() {
    List<Class<?>> groups =
        Arrays.stream(StoreContract.class.getInterfaces())
            .filter(type -> type != StoreFixture.class)
            .toList();

    assertThat(groups).hasSizeGreaterThanOrEqualTo(25);
    for (Class<?> group : groups) {
      assertThat(group.getDeclaredMethods())
          .as(group.getSimpleName())
          .anyMatch(ContractSizeTest::isTest);
      assertThat(group.getAnnotation(Rule.class)).as(group.getSimpleName()).isNotNull();
    }
  }

  private static Set<String> behaviours(Class<?> contract) {
    return Arrays.stream(contract.getMethods())
        .filter(ContractSizeTest::isTest)
        .map(Method::getName)
        .collect(Collectors.toSet());
  }

  private static boolean isTest(Method method) {
    return method.isAnnotationPresent(Test.class) || method.isAnnotationPresent(EachFlavour.class);
  }
}
