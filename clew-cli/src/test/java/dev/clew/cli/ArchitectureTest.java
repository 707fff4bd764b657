package dev.clew.cli;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

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
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Which module may know which, what each may show, and which rooms are closed. */
class ArchitectureTest {
  private static final JavaClasses CLEW =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/"))
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("dev.clew");

  private static final String CRYPTO = "dev.clew.crypto..";
  private static final String AGENT = "dev.clew.agent..";
  private static final String OPENAI = "dev.clew.openai..";
  private static final String SPRING_AI = "dev.clew.springai..";
  private static final String LANGCHAIN4J = "dev.clew.langchain4j..";
  private static final String ADK = "dev.clew.adk..";
  private static final String AGENTSCOPE = "dev.clew.agentscope..";
  private static final String TCK = "dev.clew.tck..";
  private static final String TEST_SERVERS = "dev.clew.testservers..";
  private static final String CLI = "dev.clew.cli..";
  private static final String BENCH = "dev.clew.bench..";

  private static final DescribedPredicate<JavaClass> INTERNAL =
      resideInAnyPackage("dev.clew.internal..", "dev.clew..internal..");

  /** The packages of each module but core. */
  private static final Map<String, List<String>> PACKAGES =
      Map.ofEntries(
          entry("kit", List.of("dev.clew.kit..", "dev.clew.memory..", "dev.clew.decorate..")),
          entry("manage", List.of("dev.clew.manage..")),
          entry("mcp", List.of("dev.clew.mcp..")),
          entry("mcp-tools", List.of("dev.clew.mcptools..")),
          entry("adapter", List.of("dev.clew.adapter..")),
          entry("spring-ai", List.of(SPRING_AI)),
          entry("langchain4j", List.of(LANGCHAIN4J)),
          entry("adk", List.of(ADK)),
          entry("agentscope", List.of(AGENTSCOPE)),
          entry("jsonl", List.of("dev.clew.jsonl..")),
          entry("sqlite", List.of("dev.clew.sqlite..")),
          entry("postgres", List.of("dev.clew.postgres..")),
          entry("redis", List.of("dev.clew.redis..")),
          entry("crypto", List.of(CRYPTO)),
          entry(
              "upkeep",
              List.of(
                  "dev.clew.backup..",
                  "dev.clew.copy..",
                  "dev.clew.erasure..",
                  "dev.clew.insight..",
                  "dev.clew.migrate..",
                  "dev.clew.retention..",
                  "dev.clew.transcript..")),
          entry("imports", List.of("dev.clew.imports..")),
          entry("agent", List.of(AGENT)),
          entry("demo", List.of("dev.clew.demo..")),
          entry("openai", List.of(OPENAI)),
          entry("spring-boot", List.of("dev.clew.springboot..")),
          entry("server", List.of("dev.clew.server..")),
          entry("tck", List.of(TCK)),
          entry("testservers", List.of(TEST_SERVERS)),
          entry("cli", List.of(CLI)));

  /** What a module may know besides core. The cli finds openai when it needs it. */
  private static final Map<String, Set<String>> KNOWS =
      Map.ofEntries(
          entry("kit", Set.of()),
          entry("manage", Set.of()),
          entry("mcp", Set.of("kit")),
          entry("mcp-tools", Set.of("agent")),
          entry("adapter", Set.of()),
          entry("spring-ai", Set.of("adapter")),
          entry("langchain4j", Set.of("adapter")),
          entry("adk", Set.of("adapter")),
          entry("agentscope", Set.of("adapter")),
          entry("jsonl", Set.of("kit")),
          entry("sqlite", Set.of("kit")),
          entry("postgres", Set.of("kit")),
          entry("redis", Set.of("kit", "imports")),
          entry("crypto", Set.of("kit")),
          entry("upkeep", Set.of("kit")),
          entry("imports", Set.of("kit", "jsonl")),
          entry("agent", Set.of()),
          entry("demo", Set.of("agent")),
          entry("openai", Set.of("agent")),
          entry("spring-boot", Set.of("kit", "adapter", "spring-ai")),
          entry("server", Set.of("kit", "agent", "demo", "upkeep", "imports", "mcp", "mcp-tools")),
          entry("tck", Set.of("kit")),
          entry("testservers", Set.of("tck")),
          entry(
              "cli",
              Set.of(
                  "kit",
                  "jsonl",
                  "sqlite",
                  "postgres",
                  "redis",
                  "crypto",
                  "upkeep",
                  "imports",
                  "agent",
                  "demo",
                  "mcp",
                  "mcp-tools",
                  "server")));

  /** Core is everything of Clew that is in no other module's package. */
  private static final DescribedPredicate<JavaClass> CORE =
      resideInAPackage("dev.clew..")
          .and(not(anyOf(PACKAGES.keySet())))
          .and(not(resideInAPackage(BENCH)))
          .as("core");

  private static DescribedPredicate<JavaClass> anyOf(Set<String> modules) {
    return resideInAnyPackage(
        modules.stream().flatMap(module -> PACKAGES.get(module).stream()).toArray(String[]::new));
  }

  @Test
  void coreKnowsNoOtherModule() {
    check(noClasses().that(CORE).should().dependOnClassesThat(anyOf(PACKAGES.keySet())));
  }

  @TestFactory
  Stream<DynamicTest> aModuleKnowsOnlyWhatItMay() {
    return PACKAGES.keySet().stream()
        .map(
            module -> {
              Set<String> others = new TreeSet<>(PACKAGES.keySet());
              others.remove(module);
              others.removeAll(KNOWS.get(module));
              return dynamicTest(
                  module,
                  () ->
                      check(
                          noClasses()
                              .that(anyOf(Set.of(module)))
                              .should()
                              .dependOnClassesThat(anyOf(others).or(resideInAPackage(BENCH)))));
            });
  }

  @TestFactory
  Stream<DynamicTest> noModuleHasACycleOfPackages() {
    return eachModule(
        module -> slices().assignedFrom(packagesOf(module)).should().beFreeOfCycles());
  }

  @TestFactory
  Stream<DynamicTest> nobodyUsesAnotherModulesInternals() {
    return eachModule(
        module -> noClasses().that(module).should().dependOnClassesThat(INTERNAL.and(not(module))));
  }

  @TestFactory
  Stream<DynamicTest> noInternalTypeIsInAPublicSignature() {
    return eachModule(
        module -> classes().that(module.and(not(INTERNAL))).should(showNoTypeOf(INTERNAL)));
  }

  private static Stream<DynamicTest> eachModule(
      Function<DescribedPredicate<JavaClass>, ArchRule> rule) {
    Set<String> modules = new TreeSet<>(PACKAGES.keySet());
    modules.add("core");
    return modules.stream()
        .map(
            module ->
                dynamicTest(
                    module,
                    () -> check(rule.apply(module.equals("core") ? CORE : anyOf(Set.of(module))))));
  }

  private static SliceAssignment packagesOf(DescribedPredicate<JavaClass> module) {
    return new SliceAssignment() {
      @Override
      public SliceIdentifier getIdentifierOf(JavaClass type) {
        return module.test(type)
            ? SliceIdentifier.of(type.getPackageName())
            : SliceIdentifier.ignore();
      }

      @Override
      public String getDescription() {
        return "packages of " + module.getDescription();
      }
    };
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

  /** So that a framework is only on the class path of those who use it. */
  @Test
  void onlyItsAdapterKnowsAFramework() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(SPRING_AI, "dev.clew.springboot..", BENCH)
            .should()
            .dependOnClassesThat(resideInAPackage("org.springframework..")));
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(LANGCHAIN4J, BENCH)
            .should()
            .dependOnClassesThat(resideInAPackage("dev.langchain4j..")));
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(ADK)
            .should()
            .dependOnClassesThat(
                resideInAnyPackage("com.google.adk..", "com.google.genai..", "io.reactivex..")));
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(AGENTSCOPE)
            .should()
            .dependOnClassesThat(resideInAPackage("io.agentscope..")));
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
            .resideOutsideOfPackages("dev.clew.cli.chat", "dev.clew.cli.model")
            .should()
            .dependOnClassesThat(resideInAnyPackage(AGENT, "dev.clew.demo..", "org.jline..")));
  }

  @Test
  void tckKnowsOnlyCoreTheKitAndTheTestLibraries() {
    check(
        classes()
            .that()
            .resideInAPackage(TCK)
            .should()
            .onlyDependOnClassesThat(
                CORE.or(anyOf(Set.of("kit")))
                    .or(
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

  private static void check(ArchRule rule) {
    rule.check(CLEW);
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
