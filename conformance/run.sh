#!/usr/bin/env bash
# Runs the real OpenAI Agents SDK for Python and Clew on one live SQLite file, both writing, and
# compares what they see. `make conformance` calls it.
#
#   PYTHON      the Python that has the package openai-agents (default: python3)
#   JAVA_HOME   the JDK (default: the java on the PATH)
#
# Exit codes
#   0  both agree
#   1  they do not, or something failed; the output says what
#   3  nothing was compared, because openai-agents is not installed
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
home=${here%/*}
python=${PYTHON:-python3}
java=${JAVA_HOME:+$JAVA_HOME/bin/}java

if ! command -v "$python" >/dev/null; then
  echo "conformance: not run, there is no '$python'; install Python 3.9 or later, or set PYTHON" >&2
  exit 3
fi
if ! why=$("$python" -c 'from agents import SQLiteSession' 2>&1); then
  {
    echo "conformance: not run, '$python' cannot import the OpenAI Agents SDK:"
    echo "  ${why##*$'\n'}"
    echo "Install it and run this again, for example:"
    echo "  $python -m venv .venv && .venv/bin/pip install openai-agents aiosqlite"
    echo "  PYTHON=.venv/bin/python make conformance"
    echo "'make test' proves the same with the SDK's own SQL statements, without Python."
  } >&2
  exit 3
fi

"$home/clew" --version >/dev/null # builds the jar if needed
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" "$here/share.py" "$work" \
  "$java" --enable-native-access=ALL-UNNAMED -cp "$home/clew-cli/target/run/clew.jar" \
  "$here/JavaSide.java"
