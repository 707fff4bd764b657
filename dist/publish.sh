#!/bin/sh
# Publishes the modules into a Maven repository in a folder: jar, sources, Javadoc and pom of each.
#   dist/publish.sh FOLDER [MORE ARGUMENTS FOR MAVEN]
# Tests and gates are those of make test. The classes are compiled from nothing, into a folder of
# their own, so that nothing left over from another build gets into a jar.
set -eu
home=$(cd "$(dirname "$0")/.." && pwd -P)
mkdir -p "$1"
folder=$(cd "$1" && pwd -P)
shift
cd "$home"
# shellcheck disable=SC2086 # MVN_ARGS is a list of words
"${MVN:-mvn}" -q -B -ntp ${MVN_ARGS:-} -Prelease -Dclew.fast -Dclew.target=target/publish \
  -Dmaven.test.skip=true -pl '!clew-cli,!clew-examples,!clew-bench,!clew-frameworks' \
  "-DaltDeploymentRepository=clew::file://$folder" "$@" clean deploy
