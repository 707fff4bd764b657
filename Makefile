# Everything is set up by the targets themselves; a JDK (17 or later) and Maven are all they need.
# MVN_ARGS goes to every Maven call, e.g. make test MVN_ARGS=-Dmaven.repo.local=some/folder

MVN ?= mvn
MVN_ARGS ?=
JAVA ?= $(if $(JAVA_HOME),$(JAVA_HOME)/bin/java,java)
BENCH_ARGS ?=

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
.PHONY: help run test soak bench conformance fmt clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## show clew at work
	@./clew demo

test: ## run all tests and every gate of the build
	@$(MAVEN) verify
	@$(SUM)

soak: ## the same with the long versions of the tests
	@$(MAVEN) -Dclew.soak=true verify
	@$(SUM)

bench: ## run the benchmarks (BENCH_ARGS goes to them)
	@$(MAVEN) -Dclew.fast -Dmaven.test.skip=true -pl clew-bench -am package
	@$(JAVA) --enable-native-access=ALL-UNNAMED \
		-cp "clew-bench/target/fast/classes:$$(cat clew-bench/target/fast/bench.classpath)" \
		dev.clew.bench.Main $(BENCH_ARGS)

conformance: ## run the conformance suite
	@bash conformance/run.sh

fmt: ## format the sources
	@$(MAVEN) spotless:apply

clean: ## remove what the build made
	rm -rf target clew-*/target
