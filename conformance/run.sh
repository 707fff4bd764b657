#!/usr/bin/env bash
# Holds Clew against the real clients of OpenAI; `make conformance` calls it.
#
#   python  the Agents SDK for Python and Clew on one live SQLite file, both writing, and what they
#           see compared; then its hosted MCP tools, and the MCP client for Python, against a real
#           `clew serve` and `clew mcp`
#   node    the MCP clients, MCP tools with the example server, the client `openai` and the Agents SDK `@openai/agents` from the npm registry against a
#           real `clew serve`, over a scripted model that speaks Responses, then Chat Completions
#   suite   the Open Responses suite against a real `clew serve` with the offline model
#   websocket  the Python client `openai` and the Agents SDK for Python with its WebSocket transport
#           against a real `clew serve` with the offline model
#
# An argument names the only part to run.
#
#   PYTHON         the Python that has the packages openai-agents, mcp 2 and websockets (default: python3)
#   NODE, NPM      Node.js 20 or later and npm (default: node, npm)
#   JAVA_HOME      the JDK (default: the java on the PATH)
#   OPENRESPONSES  the folder of the Open Responses suite, with its run.sh BASE_URL KEY MODEL
#
# Exit codes
#   0  everything agrees
#   1  something does not, or failed; the output says what
#   2  there is no such part
#   3  what was run agrees, but a part was not run; the output says why
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
home=${here%/*}
python=${PYTHON:-python3}
node=${NODE:-node}
npm=${NPM:-npm}
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
not_run=3

part_python() {
  if ! command -v "$python" >/dev/null; then
    echo "conformance python: not run, there is no '$python'; install Python 3.9 or later, or set PYTHON" >&2
    return $not_run
  fi
  local why
  if ! why=$("$python" -c 'from agents import SQLiteSession' 2>&1); then
    {
      echo "conformance python: not run, '$python' cannot import the OpenAI Agents SDK:"
      echo "  ${why##*$'\n'}"
      echo "Install it and run this again, for example:"
      echo "  $python -m venv .venv && .venv/bin/pip install openai-agents aiosqlite"
      echo "  PYTHON=.venv/bin/python make conformance"
      echo "'make test' proves the same with the SDK's own SQL statements, without Python."
    } >&2
    return $not_run
  fi
  local work
  work=$(mktemp -d)
  "$python" "$here/share.py" "$work" \
    "$java" --enable-native-access=ALL-UNNAMED -cp "$home/clew-cli/target/run/clew.jar" \
    "$here/JavaSide.java" && "$python" "$here/hosted.py" "$home/clew" &&
    "$python" "$here/sessions.py" "$home/clew"
  local code=$?
  rm -rf "$work"
  return $code
}

part_node() {
  local major
  if ! major=$("$node" -p 'process.versions.node.split(".")[0]' 2>/dev/null) || [ "$major" -lt 20 ]; then
    echo "conformance node: not run, '$node' is not Node.js 20 or later; install it, or set NODE" >&2
    return $not_run
  fi
  local work=$home/target/conformance/node
  mkdir -p "$work" && cp "$here"/node/* "$work" || return 1
  if ! (cd "$work" && "$npm" ci --no-audit --no-fund --loglevel error) >"$work/npm.log" 2>&1; then
    {
      echo "conformance node: not run, '$npm' cannot install the clients:"
      sed 's/^/  /' "$work/npm.log" | tail -5
    } >&2
    return $not_run
  fi
  local upstream
  for upstream in openai chat; do
    echo "conformance node: the official clients, with a model behind the server as $upstream:NAME"
    (cd "$work" && CLEW=$home/clew CLEW_UPSTREAM=$upstream "$node" --test --test-reporter=spec) ||
      return 1
  done
}

part_suite() {
  local suite=${OPENRESPONSES:-}
  if [ ! -f "$suite/run.sh" ]; then
    {
      if [ -z "$suite" ]; then
        echo "conformance suite: not run, OPENRESPONSES is not set"
      else
        echo "conformance suite: not run, there is no run.sh in '$suite'"
      fi
      echo "Set OPENRESPONSES to the folder of the Open Responses suite (openresponses/openresponses on"
      echo "GitHub) with a script run.sh that takes BASE_URL KEY MODEL and runs it."
    } >&2
    return $not_run
  fi
  local work=$home/target/conformance/suite
  mkdir -p "$work" && cp -R "$suite/." "$work" && chmod -R u+w "$work" || return 1
  # shellcheck disable=SC2016 # expanded by the server's shell
  with_server 'bash "'"$work"'/run.sh" "$url" "$key" offline'
}

part_websocket() {
  local why
  if ! why=$("$python" -c 'import websockets, openai
from agents.responses_websocket_session import responses_websocket_session' 2>&1); then
    {
      echo "conformance websocket: not run, '$python' cannot import the clients:"
      echo "  ${why##*$'\n'}"
      echo "Install them and run this again, for example:"
      echo "  $python -m venv .venv && .venv/bin/pip install openai openai-agents websockets"
      echo "  PYTHON=.venv/bin/python make conformance"
    } >&2
    return $not_run
  fi
  # shellcheck disable=SC2016 # expanded by the server's shell
  with_server '"$python" "$here/websocket.py" "$url" "$key" "$other"'
}

# Runs a command while a server with the offline model is at $url, with $key and $other of two owners.
with_server() {
  local data
  data=$(mktemp -d)
  (
    export CLEW_STORE=sqlite:$data/clew.db
    "$home/clew" serve --port 0 --model offline >"$data/out" &
    server=$!
    trap 'kill $server; wait $server; rm -rf "$data"' EXIT
    url=
    for ((tries = 0; tries < 600 && ${#url} == 0; tries++)); do
      kill -0 $server || exit 1
      sleep 0.1
      url=$(sed -n 's/.*OPENAI_BASE_URL=\([^ ]*\).*/\1/p' "$data/out" | head -1)
    done
    key=$("$home/clew" token create --owner suite) &&
      other=$("$home/clew" token create --owner other) && eval "$1"
  )
}

case ${1:-} in
  '') parts='python node suite websocket' ;;
  python | node | suite | websocket) parts=$1 ;;
  *)
    echo "conformance: there is no part '$1'; it is python, node, suite or websocket" >&2
    exit 2
    ;;
esac
"$home/clew" --version >/dev/null || exit 1 # builds the jar if needed
result=0
for part in $parts; do
  "part_$part"
  code=$?
  if [ $code -eq $not_run ] && [ $result -eq 0 ]; then
    result=$not_run
  elif [ $code -ne 0 ] && [ $code -ne $not_run ]; then
    echo "conformance $part: failed" >&2
    result=1
  fi
done
exit $result
