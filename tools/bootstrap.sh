#!/usr/bin/env bash
# Set-up steps of the Makefile, each with a plain sentence for when it can't be done.
#   bootstrap.sh venv                         create .venv with Python 3.11 or newer
#   bootstrap.sh install REQUIREMENTS...      install locked requirements into .venv
#   bootstrap.sh link                         install this repository's three distributions, editable
# PYTHON names the interpreter to use; otherwise the first suitable one on PATH is taken.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  printf '\nadamas: %s\n' "$*" >&2
  exit 1
}

new_enough() {
  "$1" -c 'import sys; raise SystemExit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

find_python() {
  local candidate
  if [ -n "${PYTHON:-}" ]; then
    new_enough "$PYTHON" ||
      fail "PYTHON is set to '$PYTHON', which is not a working Python 3.11 or newer."
    printf '%s\n' "$PYTHON"
    return
  fi
  for candidate in python3 python3.13 python3.12 python3.11 python3.14 python; do
    if new_enough "$candidate"; then
      printf '%s\n' "$candidate"
      return
    fi
  done
  fail "no Python 3.11 or newer was found on PATH. Install one (on Debian or Ubuntu:" \
    "apt install python3 python3-venv), or name it: make PYTHON=/path/to/python3.11"
}

make_venv() {
  local python
  python=$(find_python)
  "$python" -c 'import venv, ensurepip' >/dev/null 2>&1 ||
    fail "$python has no venv module, which the project's own environment needs. Install it" \
      "(on Debian or Ubuntu: apt install python3-venv), or name another interpreter with PYTHON=."
  printf 'Creating .venv with %s\n' "$("$python" --version)"
  "$python" -m venv --clear .venv || fail "$python could not create the environment .venv."
}

install() {
  local file options=()
  for file in "$@"; do options+=(-r "$file"); done
  printf 'Installing %s\n' "$*"
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input \
    --require-hashes --only-binary :all: "${options[@]}" ||
    fail "the packages listed in $* could not be installed; pip's own message is above." \
      "This step needs network access to a Python package index (or a mirror set in pip's" \
      "configuration). Run the same command again once that is there."
}

link() {
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input \
    --no-deps --no-build-isolation --no-index -e clients/python -e clients/tournament -e . ||
    fail "this repository could not be installed into .venv; pip's own message is above."
}

case "${1:-}" in
  venv) make_venv ;;
  install) shift && install "$@" ;;
  link) link ;;
  *) fail "usage: tools/bootstrap.sh venv | install REQUIREMENTS... | link" ;;
esac
