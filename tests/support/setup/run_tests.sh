#!/bin/sh
# Runs every test of the workspace against a freshly built binary. `make test` calls it.
set -eu
cd "$(dirname "$0")/../../.."

# A developer's own server settings must not decide what the tests see.
for name in $(env | sed -n 's/^\(LYCEUM_[A-Z0-9_]*\)=.*/\1/p'); do
    unset "$name"
done

# What the browser and the generated client are driven with; it stays inside the clone, and npm's scripts
# and funding notes are nothing we need.
for folder in tests/e2e/scorm_player tests/e2e/console tests/e2e/typescript_client tests/e2e/generators tests/e2e/s3_bucket; do
    npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund
done

cargo build -p lyceum-server --bin lyceum --features otel
target=$(cargo metadata --format-version 1 --no-deps \
    | sed -n 's/.*"target_directory":"\([^"]*\)".*/\1/p')
export LYCEUM_TEST_BINARY="$target/debug/lyceum"
export FAULT_FIGURES="$target/faults.jsonl"
rm -f "$FAULT_FIGURES"

if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run --workspace
else
    # Building it would take longer than it saves.
    echo "cargo-nextest is not installed, cargo test does the same more slowly" >&2
    cargo test --workspace --all-targets
fi
sh tests/support/setup/tell_faults.sh "$FAULT_FIGURES"
cargo test --workspace --doc
