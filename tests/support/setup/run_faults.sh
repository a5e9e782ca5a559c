#!/bin/sh
# The long runs of the fault tests, against a freshly built binary. `make test-faults` calls it.
set -eu
cd "$(dirname "$0")/../../.."

# A developer's own server settings must not decide what the tests see.
for name in $(env | sed -n 's/^\(LYCEUM_[A-Z0-9_]*\)=.*/\1/p'); do
    unset "$name"
done

cargo build -p lyceum-cli --bin lyceum --features otel
target=$(cargo metadata --format-version 1 --no-deps \
    | sed -n 's/.*"target_directory":"\([^"]*\)".*/\1/p')
export LYCEUM_TEST_BINARY="$target/debug/lyceum"
export FAULT_LENGTH="${FAULT_LENGTH:-long}"
export FAULT_FIGURES="$target/faults.jsonl"
rm -f "$FAULT_FIGURES"

status=0
if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run --profile faults -p lyceum-tests --test faults "$@" || status=$?
else
    cargo test -p lyceum-tests --test faults "$@" -- --test-threads 3 || status=$?
fi
sh tests/support/setup/tell_faults.sh "$FAULT_FIGURES"
exit $status
