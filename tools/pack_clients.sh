#!/usr/bin/env bash
# Packs the clients in other languages into dist/, each as its ecosystem publishes it. Languages whose
# tools are missing are left out, and said to be.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p dist
export PATH="$PWD/.venv/bin:$PATH"

have() {
  command -v "$1" >/dev/null || { echo "$2: left out, as $1 is not installed"; return 1; }
}

if have go "Go module"; then
  (cd clients/go && go generate ./...)
  .venv/bin/python tools/pack_go.py
fi
if have mvn "jar"; then
  mvn --batch-mode --no-transfer-progress --quiet --file clients/java package -DskipTests
  cp clients/java/target/adamas-client-*.jar dist/
  echo "jar: dist/"
fi
if have npm "npm tarball"; then
  cp LICENSE clients/typescript/
  (cd clients/typescript && npm ci --no-fund --no-audit --silent && npm run --silent generate &&
    npm run --silent build && npm pack --silent --pack-destination ../../dist)
  rm clients/typescript/LICENSE
  echo "npm tarball: dist/"
fi
if have cargo "crate"; then
  (cd clients/rust && cargo package --quiet --no-verify --allow-dirty)
  cp clients/rust/target/package/adamas-client-*.crate dist/
  echo "crate: dist/"
fi
