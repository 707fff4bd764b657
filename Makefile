# Everything is set up by the targets themselves; a JDK (17 or newer) and Maven are all they need.
# MVN_ARGS goes to every Maven call, e.g. make test MVN_ARGS=-Dmaven.repo.local=some/folder

MVN ?= mvn
MVN_ARGS ?=
JAVA ?= $(if $(JAVA_HOME),$(JAVA_HOME)/bin/java,java)
BENCH_ARGS ?=
# Not from the environment, where a NAME may mean something else.
NAME =
ARGS =

export MVN
export MVN_ARGS

# Maven says only what went wrong, Surefire says what was tested.
LOG := -Dorg.slf4j.simpleLogger.defaultLogLevel=warn \
	-Dorg.slf4j.simpleLogger.log.org.apache.maven.plugin.surefire=info
MAVEN = MAVEN_OPTS="$$MAVEN_OPTS $(LOG)" $(MVN) --batch-mode --no-transfer-progress $(MVN_ARGS)

# One line for all modules. Maven stops at the first failure, so getting here means there is none.
SUM = cat clew-*/target/surefire-reports/TEST-*.xml | \
	awk 'match($$0, /<testcase /) { n++ } END { printf "\ntests: %d passed, 0 failed\n", n }'

.DEFAULT_GOAL := help
.PHONY: help setup run install example test soak bench conformance dist api fmt clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## check the JDK and Maven, and install what the tests need (Chromium)
	@.ci/setup

run: ## serve on this machine (ARGS goes to clew serve)
	@./clew serve $(ARGS)

install: ## put the modules and their sources into the local Maven repository (no tests, no gates)
	@.ci/setup build
	@$(MVN) -q --batch-mode --no-transfer-progress $(MVN_ARGS) \
		-Dclew.fast -Dmaven.test.skip=true -pl '!clew-cli,!clew-examples,!clew-bench,!clew-frameworks' install
	@echo "installed; README.md shows the <dependency>"

EXAMPLES := clew-examples/src/main/java/dev/clew/examples
EXAMPLES_BUILT := $(CURDIR)/clew-examples/target/fast

example: ## run an example (NAME=BasicSession), or list them
ifeq ($(NAME),)
	@echo "make example NAME=... runs one of these; clew-examples/README.md says what they show:"
	@ls $(EXAMPLES) | sed -n 's/^\([A-Z].*\)\.java$$/  \1/p'
else
	@[ -f $(EXAMPLES)/$(NAME).java ] || { echo "no example '$(NAME)'; make example lists them" >&2; exit 1; }
	@.ci/setup build
	@$(MVN) -q --batch-mode --no-transfer-progress $(MVN_ARGS) \
		-Dclew.fast -Dmaven.test.skip=true -pl clew-examples -am package
	@mkdir -p $(EXAMPLES_BUILT)/run && cd $(EXAMPLES_BUILT)/run && $(JAVA) \
		-Dfile.encoding=UTF-8 -Dorg.slf4j.simpleLogger.defaultLogLevel=warn \
		--enable-native-access=ALL-UNNAMED \
		-cp "$(EXAMPLES_BUILT)/classes:$$(cat $(EXAMPLES_BUILT)/example.classpath)" \
		dev.clew.examples.$(NAME) $(ARGS)
endif

# Two modules at a time: one alone does not keep two cores busy.
test: setup ## run all tests and every gate of the build
	@scratch=$$(.ci/scratch) && trap 'rm -rf "$$scratch"' EXIT && trap 'exit 130' INT TERM && \
		$(MAVEN) -T 2 -Dclew.test.tmp="$$scratch" verify
	@$(SUM)

soak: setup ## the same with the long versions of the tests
	@$(MAVEN) -Dclew.soak=true verify
	@$(SUM)
	@for boot in 3.5 4.0 4.1; do \
		$(MAVEN) -Dclew.fast -Dclew.boot=$$boot -pl clew-jsonl,clew-sqlite,clew-postgres,clew-redis -am test \
			-Dtest='MemoryStoreContractTest,JsonlStoreContractTest,SqliteFileContractTest,PostgresContractTest,RedisContractTest' \
			-Dsurefire.failIfNoSpecifiedTests=false || exit 1; done
	@for one in 'ReadersTest#bytesAreAnItem*' 'ReadersTest#aText*' FileReaderTest; do \
		JAZZER_FUZZ=1 $(MAVEN) -Dclew.fast -pl clew-core,clew-kit,clew-tck,clew-jsonl test -Dtest="$$one" \
			-Dsurefire.failIfNoSpecifiedTests=false || exit 1; done

bench: ## run the benchmarks (BENCH_ARGS goes to them)
	@.ci/setup build
	@$(MAVEN) -Dclew.fast -Dmaven.test.skip=true -pl clew-bench -am package
	@$(JAVA) --enable-native-access=ALL-UNNAMED \
		-cp "clew-bench/target/fast/classes:$$(cat clew-bench/target/fast/bench.classpath)" \
		dev.clew.bench.Main $(BENCH_ARGS)

conformance: ## run the official SDKs of OpenAI and the Open Responses suite against clew
	@bash conformance/run.sh

dist: ## make an archive that runs without Maven and a repository of the modules, and try both
	@sh dist/build.sh
	@bash dist/test.sh target/clew-*.tar.gz
	@rm -rf target/repository
	@sh dist/publish.sh target/repository -Dgpg.skip
	@bash dist/test-published.sh target/repository

api: ## record the public signatures as those of the last release, which later ones must keep
	@.ci/setup build
	@$(MAVEN) -Dclew.fast -pl clew-cli -am test \
		-Dtest=ApiTest -Dsurefire.failIfNoSpecifiedTests=false -Dclew.api=write

fmt: ## format the sources
	@.ci/setup build
	@$(MAVEN) -pl '!clew-bom' spotless:apply # which has no parent, and so no plugins

clean: ## remove what the build made
	rm -rf target clew-*/target examples/*/target
