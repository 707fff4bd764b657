# Starts clew.jar; read by the launchers, which set
#   run   the folder of clew.jar
#   say   a function that tells the user something
# shellcheck shell=sh disable=SC2154 # they set it
jar=$run/clew.jar

if [ -n "${JAVA_HOME:-}" ]; then
  java=$JAVA_HOME/bin/java
else
  java=$(command -v java) || java=
fi
if [ ! -x "$java" ]; then
  say "no java found; install a JDK 17 or later, or set JAVA_HOME"
  exit 1
fi

# Where to keep what makes the next start faster: beside the jar, else with the user's other caches,
# by the jar's place, size and time. An empty name: nowhere.
keep=$run
if [ ! -w "$run" ]; then
  which=$(ls -lL "$jar" | cksum)
  keep=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/clew/${which%% *}
  mkdir -p "$keep" 2>/dev/null || keep=
fi
native=$keep/native

# No log of the JVM's own: it would go to standard output, and an unusable archive is no news.
set_flags() {
  flags="-Xlog:disable -Xshare:auto -XX:-UsePerfData"
  case ${1:-} in
    # Commands that run long get the better compiler.
    migrate | import | backup | restore | retention | erase) flags="$flags -XX:+UseSerialGC" ;;
    serve) flags="$flags -XX:+UseG1GC" ;;
    *) flags="$flags -XX:+UseSerialGC -XX:TieredStopAtLevel=1" ;;
  esac
  flags="$flags ${CLEW_JAVA_OPTS:-}"
}

# A class data archive halves the time to start. It holds for one JDK, so its name has the version.
jdk=
version=
release=$(readlink -f "$java" 2>/dev/null) || release=$java
release=${release%/bin/java}/release
if [ -r "$release" ]; then
  while IFS='="' read -r name _ value _; do
    case $name in
      JAVA_VERSION) version=${value%%[!0-9]*} jdk=$jdk-$value ;;
      JAVA_RUNTIME_VERSION | IMPLEMENTOR) jdk=$jdk-$value ;;
    esac
  done <"$release"
  if [ "${version:-17}" -lt 17 ]; then
    say "$java is Java $version; install a JDK 17 or newer, or set JAVA_HOME to one"
    exit 1
  fi
  jdk=$(printf %s "$jdk" | tr -c 'A-Za-z0-9.+-' _)
fi
case ${1:-} in
  serve) kind=-serve ;;
  *) kind= ;;
esac
archive=$keep/clew$kind${jdk:--jdk}.jsa
draft=$archive.$$

# A server that is stopped as soon as it listens.
train_serve() {
  set_flags serve
  # shellcheck disable=SC2086 # the flags are a list of words
  CLEW_STORE='' CLEW_HOST='' CLEW_CONFIG='' XDG_CONFIG_HOME=$draft.data \
    XDG_DATA_HOME=$draft.data "$java" $flags \
    -XX:ArchiveClassesAtExit="$draft" -jar "$jar" serve --port 0 --model offline \
    >"$draft.out" 2>&1 </dev/null &
  training=$!
  trap 'kill $training 2>/dev/null && wait $training || :; rm -rf "$draft"*' EXIT
  trap 'exit 143' HUP INT TERM
  tries=0
  until grep -q Ctrl-C "$draft.out" 2>/dev/null || [ $tries -ge 60 ] ||
    ! kill -0 $training 2>/dev/null; do
    tries=$((tries + 1))
    sleep 0.5
  done
  kill $training 2>/dev/null || :
  wait $training || :
  trap - EXIT HUP INT TERM
  rm -f "$draft.out"
}

train_short() {
  set_flags chat
  # shellcheck disable=SC2086 # the flags are a list of words
  "$java" $flags -XX:ArchiveClassesAtExit="$draft" -cp "$jar" dev.clew.cli.CdsTraining \
    >/dev/null 2>&1 </dev/null || :
}

# Both are made once. An empty archive says that it cannot be made. SQLite itself is taken out of the
# jar, which the driver would do at each start; where that fails the folder stays empty and it does.
prepare() {
  if [ ! -f "$archive" ]; then
    if [ "$kind" = -serve ]; then
      echo "preparing faster starts (once)…" >&2
      train_serve
    else
      train_short
    fi
    rm -rf "$draft.data"
    [ -f "$draft" ] || : >"$draft"
    mv -f "$draft" "$archive"
  fi
  if [ ! -d "$native" ]; then
    draft=$native.$$
    mkdir -p "$draft"
    platform=$("$java" -cp "$jar" org.sqlite.util.OSInfo 2>/dev/null) || platform=
    (cd "$draft" && "${java%java}jar" xf "$jar" "org/sqlite/native/$platform" &&
      mv "org/sqlite/native/$platform"/* . && rm -r org) >/dev/null 2>&1 || :
    mv "$draft" "$native"
  fi
}
if [ -n "$keep" ] && { [ ! -f "$archive" ] || [ ! -d "$native" ]; }; then
  case ${1:-} in
    # Another program waits for its first answer, and not for long.
    mcp) (sleep 2 && prepare) </dev/null >/dev/null 2>&1 & ;;
    *) prepare ;;
  esac
fi

# What clew suggests to type begins as this call did: ./clew, or clew where the PATH leads here.
CLEW_PROGRAM=$0
if [ "$(command -v clew 2>/dev/null)" = "$0" ]; then
  CLEW_PROGRAM=clew
fi
case $CLEW_PROGRAM in
  *[!A-Za-z0-9_./~+-]*) CLEW_PROGRAM=clew ;; # it would have to be quoted
esac
export CLEW_PROGRAM

set_flags "$@"
if [ ! -s "$archive" ]; then
  archive=
fi
# shellcheck disable=SC2086
exec "$java" "-Dorg.sqlite.lib.path=$native" $flags ${archive:+"-XX:SharedArchiveFile=$archive"} \
  -jar "$jar" "$@"
