#!/bin/bash
# Tries the archive that dist/build.sh made as somebody would who has no Maven, and checks the
# files for systemd, Docker and Kubernetes as far as this machine has tools for that.
#   dist/test.sh ARCHIVE
set -euo pipefail
home=$(cd "$(dirname "$0")/.." && pwd -P)
archive=$(readlink -f "$1")
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
export HOME="$folder/home dir" XDG_DATA_HOME="" XDG_CONFIG_HOME="" XDG_CACHE_HOME=""
unset CLEW_STORE CLEW_CONFIG CLEW_MODEL CLEW_KEY
mkdir "$HOME" "$folder/a place"

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

tar -C "$folder/a place" -xzf "$archive"
clew=$(echo "$folder/a place"/clew-*/bin/clew)
root=${clew%/bin/clew}

check "has its documents" "$(is test -s "$root/README.md" -a -s "$root/docs/cli.md")"
check "says its version" "$(is grep -q '^clew ' <<<"$("$clew" --version)")"
check "lists its libraries" "$(is grep -q 'pkg:maven/org.mvnpm/dompurify@' "$root/sbom.json")"
"$clew" add trip "Where is the bridge?" >"$folder/out"
check "adds and finds" "$(is grep -q bridge <<<"$("$clew" search bridge)")"
check "chats" "$(is grep -q welcome <<<"$(echo thanks | "$clew" chat s 2>"$folder/err")")"
ln -s "$clew" "$folder/link"
check "suggests what works when typed" \
  "$(is grep -q "try 'bin/clew sessions list" <<<"$(cd "$root" && bin/clew sessions list --x 2>&1)")"
check "runs through a link" "$(is grep -q trip <<<"$("$folder/link" sessions list)")"
check "keeps classes for the next start" "$(is test -s "$(echo "$root"/lib/clew-*.jsa)")"

"$clew" serve --port 0 --auth none >"$folder/serve" 2>&1 &
server=$!
for _ in $(seq 120); do
  grep -q Ctrl-C "$folder/serve" && break
  sleep 0.5
done
port=$(grep -o '127.0.0.1:[0-9]*' "$folder/serve" | head -1)
exec 3<>"/dev/tcp/127.0.0.1/${port##*:}"
printf 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
check "serves" "$(is grep -q '200 OK' <<<"$(cat <&3)")"
exec 3<&-
exec 3<>"/dev/tcp/127.0.0.1/${port##*:}"
printf 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
check "serves the page" "$(is grep -q '200 OK' <<<"$(cat <&3)")"
exec 3<&-
kill $server
code=0
wait $server || code=$?
check "stops when asked (exit code $code)" "$(is test $code -eq 143 -o $code -eq 130 -o $code -eq 0)"

rm -rf "$root"/lib/*.jsa "$root/lib/native"
hello='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}'
check "answers another agent before it keeps classes" \
  "$(is grep -q serverInfo <<<"$(echo "$hello" | "$clew" mcp)")"
for _ in $(seq 120); do
  test -s "$(echo "$root"/lib/clew-*.jsa)" -a -d "$root/lib/native" && break
  sleep 0.5
done
check "keeps them then" "$(is test -s "$(echo "$root"/lib/clew-*.jsa)" -a -d "$root/lib/native")"

rm -rf "$root"/lib/*.jsa "$root/lib/native"
if [ "$(id -u)" = 0 ]; then
  chmod 755 "$folder" && chown -R nobody "$HOME"
  as_nobody() { setpriv --reuid=nobody --clear-groups env HOME="$HOME" "$clew" "$@"; }
  check "runs from a folder that it may not write" "$(is grep -q ' item' <<<"$(as_nobody add u hello)")"
  check "keeps classes with the user's caches" \
    "$(is test -n "$(find "$HOME/.cache/clew" -name '*.jsa' -size +1M)")"
else
  left_out "from a folder that it may not write (needs root, to be somebody else)"
fi

# shellcheck disable=SC2016 # the inner shell expands it
check "bash loads the completion" "$(is bash -c 'source "$1" && complete -p clew >/dev/null' _ \
  "$root/share/bash-completion/completions/clew")"
if command -v groff >/dev/null; then
  check "the manual page is well formed" \
    "$(is test -z "$(groff -man -ww -Tutf8 "$root/share/man/man1/clew.1" 2>&1 >/dev/null)")"
else
  left_out "the manual page (no groff)"
fi
if command -v fish >/dev/null; then
  check "fish loads the completion" "$(is fish -n "$root/share/fish/vendor_completions.d/clew.fish")"
else
  left_out "the completion of fish (no fish)"
fi
if command -v systemd-analyze >/dev/null; then
  mkdir -p "$folder/unit"
  sed "s|/opt/clew/bin/clew|/bin/true|" "$home/dist/clew.service" >"$folder/unit/clew.service"
  check "the unit of systemd" "$(is systemd-analyze verify "$folder/unit/clew.service")"
else
  left_out "the unit of systemd (no systemd-analyze)"
fi
if command -v shellcheck >/dev/null; then
  check "the scripts" "$(is shellcheck -x -P "$home" "$home/clew" "$home/.ci/setup" "$home/dist/clew" \
    "$home/dist/build.sh" "$home/dist/test.sh" "$home/dist/publish.sh" "$home/dist/test-published.sh")"
else
  left_out "the scripts (no shellcheck)"
fi
if command -v npm >/dev/null; then
  cp "$home/dist/check.mjs" "$folder"
  (cd "$folder" && npm install --silent --no-audit --no-fund \
    dockerfilelint@1.8.0 kubernetes-models@5.1.0 yaml@2.9.1 >/dev/null)
  check "Dockerfile and Kubernetes" "$(is node "$folder/check.mjs" "$home/dist")"
else
  left_out "Dockerfile and Kubernetes (no npm)"
fi
exit $failed
