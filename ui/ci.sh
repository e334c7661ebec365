#!/usr/bin/env bash
# Everything that must hold for the page. Needs Node, and for the tests in the browser
# Chromium and the program (SHIDO_BIN, or ../target/release/shido).
set -euo pipefail
cd "$(dirname "$0")"

step() {
    printf '\n== ui: %s (at %d s)\n' "$*" "$SECONDS"
    "$@"
}

# What the page weighs over the wire, at most.
check_size() {
    local bytes
    bytes=$(for file in dist/index.html dist/assets/*; do gzip -9 -c "$file"; done | wc -c)
    printf 'the page is %d bytes compressed\n' "$bytes"
    ((bytes < 300000))
}

# cargo's build may have installed the very same packages already.
if [[ ! node_modules/.package-lock.json -nt package-lock.json ]]; then
    step npm ci --no-audit --no-fund
fi
step npm run --silent check
step npm test --silent
step npm run --silent build
step check_size
step npm run --silent e2e
