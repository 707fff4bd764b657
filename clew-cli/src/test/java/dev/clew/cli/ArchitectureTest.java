package dev.clew.cli;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.openai.client.OpenAIClient;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Which module may know which: core nobody; stores, crypto, agent and tck only core; openai core
 * and agent; cli all but openai, which it finds when it needs it, and tck.
 */
class ArchitectureTest {
  private static final JavaClasses CLEW =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/"))
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("dev.clew");

  private static final String SQLITE = "dev.clew.sqlite..";
  private static final String POSTGRES = "dev.clew.postgres..";
  private static final String REDIS = "dev.clew.redis..";
  private static final String CRYPTO = "dev.clew.crypto..";
  private static final String AGENT = "dev.clew.agent..";
  private static final String OPENAI = "dev.clew.openai..";
  private static final String SERVER = "dev.clew.server..";
  private static final String TCK = "dev.clew.tck..";
  private static final String TEST_SERVERS = "dev.clew.testservers..";
  private static final String CLI = "dev.clew.cli..";
  private static final String BENCH = "dev.clew.bench..";

  /** Core is everything of Clew that is in no other module's package. */
  private static final DescribedPredicate<JavaClass> CORE =
      resideInAPackage("dev.clew..")
          .and(
              not(
                  resideInAnyPackage(
                      SQLITE,
                      POSTGRES,
                      REDIS,
                      CRYPTO,
                      AGENT,
                      OPENAI,
                      SERVER,
                      TCK,
                      TEST_SERVERS,
                      CLI,
                      BENCH)))
          .as("core");

  @Test
  void coreKnowsNoOtherModule() {
    check(
        noClasses()
            .that(CORE)
            .should()
            .dependOnClassesThat(
                resideInAnyPackage(
                    SQLITE, POSTGRES, REDIS, CRYPTO, AGENT, OPENAI, SERVER, TCK, CLI, BENCH)));
  }

  @Test
  void coreUsesOnlyItsThreeLibraries() {
    check(
        classes()
            .that(CORE)
            .should()
            .onlyDependOnClassesThat(
                CORE.or(
                    resideInAnyPackage(
                        "java..",
                        "com.fasterxml.jackson.core..",
                        "org.jspecify.annotations..",
                        "org.slf4j.."))));
  }

  @Test
  void coreShowsNoJacksonType() {
    check(classes().that(CORE).should(showNoTypeOf(resideInAPackage("com.fasterxml.jackson.."))));
  }

  @Test
  void sqliteKnowsOnlyCore() {
    check(
        noClasses()
            .that()
            .resideInAPackage(SQLITE)
            .should()
            .dependOnClassesThat(
                resideInAnyPackage(
                    POSTGRES, REDIS, CRYPTO, AGENT, OPENAI, SERVER, TCK, CLI, BENCH)));
  }

  @Test
  void postgresKnowsOnlyCore() {
    check(
        noClasses()
            .that()
            .resideInAPackage(POSTGRES)
            .should()
            .dependOnClassesThat(
                resideInAnyPackage(SQLITE, REDIS, CRYPTO, AGENT, OPENAI, SERVER, TCK, CLI, BENCH)));
  }

  @Test
  void redisKnowsOnlyCore() {
    check(
        noClasses()
            .that()
            .resideInAPackage(REDIS)
            .should()
            .dependOnClassesThat(
                resideInAnyPackage(
                    SQLITE, POSTGRES, CRYPTO, AGENT, OPENAI, SERVER, TCK, CLI, BENCH)));
  }

  @Test
  void cryptoKnowsOnlyCore() {
    check(
        noClasses()
            .that()
            .resideInAPackage(CRYPTO)
            .should()
            .dependOnClassesThat(
                resideInAnyPackage(
                    SQLITE, POSTGRES, REDIS, AGENT, OPENAI, SERVER, TCK, CLI, BENCH)));
  }

  @Test
  void cryptoShowsNoTypeOfTink() {
    check(
        classes()
            .that()
            .resideInAPackage(CRYPTO)
            .should(showNoTypeOf(resideInAPackage("com.google.crypto.."))));
  }

  /** So that a short command without keys does not load what encrypts. */
  @Test
  void onlyTheKeysKnowWhatEncrypts() {
    check(
        noClasses()
            .that()
            .resideInAPackage(CLI)
            .and()
            .haveNameNotMatching(".*\\.(KeyWork.*|StoreKeys.*)")
            .should()
            .dependOnClassesThat(resideInAPackage(CRYPTO)));
  }

  @Test
  void agentKnowsOnlyCore() {
    check(
        noClasses()
            .that()
            .resideInAPackage(AGENT)
            .should()
            .dependOnClassesThat(
                resideInAnyPackage(
                    SQLITE, POSTGRES, REDIS, CRYPTO, OPENAI, SERVER, TCK, CLI, BENCH)));
  }

  @Test
  void openAiKnowsOnlyCoreAndTheAgent() {
    check(
        noClasses()
            .that()
            .resideInAPackage(OPENAI)
            .should()
            .dependOnClassesThat(
                resideInAnyPackage(SQLITE, POSTGRES, REDIS, CRYPTO, SERVER, TCK, CLI, BENCH)));
  }

  @Test
  void theServerKnowsOnlyCoreAndTheAgent() {
    check(
        noClasses()
            .that()
            .resideInAPackage(SERVER)
            .should()
            .dependOnClassesThat(
                resideInAnyPackage(SQLITE, POSTGRES, REDIS, CRYPTO, OPENAI, TCK, CLI, BENCH)));
  }

  /** So that whoever does not ask such a model need not have its client. */
  @Test
  void nobodyKnowsOpenAiAndItsClient() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(OPENAI)
            .should()
            .dependOnClassesThat(
                resideInAnyPackage(OPENAI, "com.openai..", "okhttp3..", "okio..", "kotlin..")));
  }

  @Test
  void openAiShowsTypesOfItsClientOnlyWhereTheUserPassesOne() {
    check(
        classes()
            .that()
            .resideInAPackage(OPENAI)
            .should(
                showNoTypeOf(
                    resideInAnyPackage("com.openai..", "okhttp3..", "kotlin..")
                        .and(not(equivalentTo(OpenAIClient.class))))));
  }

  @Test
  void onlyTheChatKnowsTheAgentAndTheLineEditor() {
    check(
        noClasses()
            .that()
            .resideInAPackage(CLI)
            .and()
            .haveNameNotMatching(".*\\.(Chat.*|Models.*|JLineConsole.*|PipeConsole.*)")
            .should()
            .dependOnClassesThat(resideInAnyPackage(AGENT, "org.jline..")));
  }

  @Test
  void tckKnowsOnlyCoreAndTheTestLibraries() {
    check(
        classes()
            .that()
            .resideInAPackage(TCK)
            .should()
            .onlyDependOnClassesThat(
                CORE.or(
                    resideInAnyPackage(
                        TCK,
                        "java..",
                        "org.junit.jupiter..",
                        "org.junit.platform.commons..",
                        "org.opentest4j..",
                        "org.apiguardian..",
                        "org.assertj..",
                        "org.jspecify.annotations.."))));
  }

  @Test
  void cliKnowsNeitherTckNorBench() {
    check(
        noClasses()
            .that()
            .resideInAPackage(CLI)
            .should()
            .dependOnClassesThat(resideInAnyPackage(TCK, BENCH)));
  }

  /** They are for tests and benchmarks only. */
  @Test
  void nothingThatIsShippedKnowsTheTestServers() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(TEST_SERVERS, BENCH)
            .should()
            .dependOnClassesThat(
                resideInAnyPackage(TEST_SERVERS, "io.zonky..", "redis.embedded..")));
  }

  @Test
  void nobodyKnowsTheCli() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(CLI)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(CLI));
  }

  /** A module may still be without classes. */
  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(CLEW);
  }

  /** Looks at every public or protected part of a class that code in another module can reach. */
  private static ArchCondition<JavaClass> showNoTypeOf(
      DescribedPredicate<? super JavaClass> hidden) {
    return new ArchCondition<>("show no type that " + hidden.getDescription()) {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        if (!isReachable(type)) {
          return;
        }
        report(type, type.getDescription(), supertypes(type), events);
        for (JavaMember member : type.getMembers()) {
          if (isVisible(member.getModifiers())) {
            report(type, member.getDescription(), typesOf(member), events);
          }
        }
      }

      private void report(
          JavaClass type, String where, Stream<JavaClass> shown, ConditionEvents events) {
        String leaks =
            shown
                .map(JavaClass::getBaseComponentType)
                .filter(hidden)
                .map(JavaClass::getName)
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        if (!leaks.isEmpty()) {
          events.add(SimpleConditionEvent.violated(type, where + " shows " + leaks));
        }
      }
    };
  }

  private static Stream<JavaClass> supertypes(JavaClass type) {
    return Stream.concat(
            Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream()),
            type.getTypeParameters().stream())
        .flatMap(shown -> shown.getAllInvolvedRawTypes().stream());
  }

  private static Stream<JavaClass> typesOf(JavaMember member) {
    return member.getAllInvolvedRawTypes().stream();
  }

  private static boolean isReachable(JavaClass type) {
    return isVisible(type.getModifiers())
        && type.getEnclosingClass().map(ArchitectureTest::isReachable).orElse(true);
  }

  private static boolean isVisible(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }
}
