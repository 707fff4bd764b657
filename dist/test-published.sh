#!/bin/bash
# Tries what dist/publish.sh published, as a project does that depends on it.
#   dist/test-published.sh FOLDER
set -euo pipefail
home=$(cd "$(dirname "$0")/.." && pwd -P)
repository=$(cd "$1" && pwd -P)
read -ra maven <<<"${MVN:-mvn} -q -B -ntp ${MVN_ARGS:-}"
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

failed=0
check() {
  if [ "$2" = yes ]; then echo "ok       $1"; else echo "FAILED   $1"; failed=1; fi
}
left_out() {
  echo "not run  $1"
}
is() {
  if "$@"; then echo yes; else echo no; fi
}

# The jars of a module, without sources and Javadoc.
libraries=$(find "$repository" -name '*.jar' | grep -v -e -sources.jar -e -javadoc.jar | sort)
modules=$(wc -l <<<"$libraries")
wrong=
for jar in $libraries; do
  base=${jar%.jar}
  for part in "$base.pom" "$base-sources.jar" "$base-javadoc.jar"; do
    [ -s "$part" ] || wrong="$wrong ${part##*/}"
  done
done
check "each of $modules modules has a pom, sources and Javadoc$wrong" "$(is test -z "$wrong")"

# Finds two modules of one name, a name that is none, and packages in two modules.
mkdir "$folder/modules"
for jar in $libraries; do cp "$jar" "$folder/modules"; done
"$java" --module-path "$folder/modules" --list-modules >"$folder/names" 2>&1 || cat "$folder/names"
named=$(grep -c '^dev\.clew.* automatic$' "$folder/names" || :)
check "each has a module name" "$(is test "$named" = "$modules")"
accepted=no
"$java" --module-path "$folder/modules" --validate-modules >"$folder/valid" 2>&1 && accepted=yes
check "the module path accepts them together" $accepted

# A local Maven repository that has everything of the usual one but Clew. What it downloads goes there too.
usual=$("${maven[@]}" -f "$home/dist/sample/pom.xml" -N -Dclew.repository=file:none \
  org.apache.maven.plugins:maven-help-plugin:3.5.1:evaluate -Dexpression=settings.localRepository -DforceStdout)
own=$folder/m2
mkdir -p "$own/dev"
for entry in "$usual"/*; do
  [ "${entry##*/}" = dev ] || ln -s "$entry" "$own"
done
for entry in "$usual"/dev/*; do
  [ "${entry##*/}" = clew ] || ln -s "$entry" "$own/dev"
done
cp -R "$home/dist/sample" "$home/dist/sample-boot" "$folder"
sample() { # SAMPLE [MORE ARGUMENTS FOR MAVEN]
  cd "$folder/$1"
  shift
  "${maven[@]}" "-Dmaven.repo.local=$own" "-Dclew.repository=file://$repository" "$@" compile exec:java 2>&1
}
said() {
  is grep -q -e "$1" "$folder/out"
}
(sample sample) >"$folder/out" || :
check "a project outside resolves it and runs" "$(said '^items before: 0$')"
(sample sample) >"$folder/out" || :
check "and remembers" "$(said '^items before: 2$')"

(sample sample-boot) >"$folder/out" || :
check "a Spring Boot application has a store" "$(said '^items before: 0$')"
check "its health" "$(said '^health: UP$')"
check "and its observation" "$(said '^commits: 1$')"
(sample sample-boot) >"$folder/out" || :
check "it remembers" "$(said '^items before: 1$')"
(sample sample-boot -Dsqlite-jdbc.version=3.49.1.0) >"$folder/out" || :
check "with the driver of Spring Boot 3.5 it says what to set" \
  "$(said '^The store of the property .clew.url. .* set the property sqlite-jdbc.version')"

# The examples are run twice, and forget nothing in between. What somebody left there when trying them stays there.
cp -R "$home/examples" "$folder"
rm -rf "$folder"/examples/*/target "$folder"/examples/*/chat.db
for example in spring-ai langchain4j adk agentscope; do
  session=(trip)
  [ $example != adk ] || session=(guide:trip --owner ann)
  (sample "examples/$example" "-Dexec.args=Weather in Lisbon") >"$folder/out" || :
  check "the example $example calls its tool" "$(said 'It rains in Lisbon\.$')"
  (sample "examples/$example" "-Dexec.args=Do I need an umbrella?") >"$folder/out" || :
  check "and knows the result in the next run" "$(said 'It rains in Lisbon\.$')"
  "$home/clew" sessions show "${session[@]}" --store "sqlite:$folder/examples/$example/chat.db" >"$folder/out" || :
  check "clew shows the conversation" \
    "$(is test "$(grep -c -e "^${session[0]} · 6 items" -e '^→ weather' -e 'Do I need an umbrella?$' "$folder/out")" = 3)"
done

# Once more, from a copy of the sources elsewhere, and signed with a key that is thrown away.
sign=-Dgpg.skip
if command -v gpg >/dev/null; then
  export GNUPGHOME=$folder/gpg
  mkdir -m 700 "$GNUPGHOME"
  trap 'gpgconf --kill gpg-agent; rm -rf "$folder"' EXIT
  gpg --batch --quiet --passphrase '' --quick-generate-key 'Nobody' default default 1d 2>"$folder/key"
  sign=-Dgpg.skip=false
fi
mkdir "$folder/copy"
tar -C "$home" --exclude=target --exclude=.git -cf - . | tar -C "$folder/copy" -xf -
sh "$folder/copy/dist/publish.sh" "$folder/again" "$sign"
compared=0
differ=
for jar in "$folder"/copy/clew-*/target/publish/clew-*.jar; do
  cmp -s "$jar" "$home/${jar#"$folder/copy/"}" || differ="$differ ${jar##*/}"
  compared=$((compared + 1))
done
check "$compared jars are the same, built twice$differ" \
  "$(is test -z "$differ" -a "$compared" -ge $((3 * modules)))"
if [ "$sign" = -Dgpg.skip ]; then
  left_out "the signatures (no gpg)"
else
  signed=0
  wrong=
  while read -r file; do
    gpg --batch --quiet --verify "$file.asc" "$file" 2>/dev/null || wrong="$wrong ${file##*/}"
    signed=$((signed + 1))
  done < <(find "$folder/again" -name '*.jar' -o -name '*.pom')
  check "$signed files have a good signature$wrong" "$(is test -z "$wrong" -a $signed -gt "$compared")"
fi
exit $failed
