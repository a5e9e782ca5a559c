#!/bin/sh
# Runs the tests of the workspace against a freshly built binary.
#
#   run_tests.sh quick   what `make test` runs; which that is stands in .config/nextest.toml
#   run_tests.sh all     everything
set -eu
tests=$1
shift
cd "$(dirname "$0")/../../.."

# A developer's own server settings must not decide what the tests see.
for name in $(env | sed -n 's/^\(LYCEUM_[A-Z0-9_]*\)=.*/\1/p'); do
    unset "$name"
done

# A thousand databases are made and thrown away: in memory, where there is plenty. On a disk most of their time goes into finding
# room for their files.
gib_in() { df -Pk "$1" 2>/dev/null | awk 'NR == 2 { kib = $4 } END { print int(kib / 1048576) }'; }
gib_of_memory() { awk '/^MemAvailable:/ { kib = $2 } END { print int(kib / 1048576) }' /proc/meminfo 2>/dev/null || echo 0; }
# Some systems run no program from there.
runs_programs() { printf '#!/bin/sh\n' >"$1/try" && chmod +x "$1/try" && "$1/try" 2>/dev/null; }
if [ -z "${TMPDIR:-}" ] && [ "$(gib_in /dev/shm)" -ge 8 ] && [ "$(gib_of_memory)" -ge 12 ]; then
    memory=$(mktemp -d /dev/shm/lyceum-tests-XXXXXX)
    trap 'rm -rf "$memory"' EXIT
    trap 'exit 130' HUP INT TERM
    # PostgreSQL runs as somebody else and has to get through.
    chmod 711 "$memory"
    ! runs_programs "$memory" || export TMPDIR="$memory"
fi

# What the browser and the generated client are driven with; it stays inside the clone, and npm's scripts
# and funding notes are nothing we need.
browsers="tests/e2e/scorm_player tests/e2e/console"
programs="tests/e2e/typescript_client tests/e2e/generators tests/e2e/s3_bucket tests/e2e/tus_client"
[ "$tests" = all ] || programs=
for folder in $browsers $programs; do
    npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund
done

# The binary under test is built by the same command as the tests, with the features that they have: anything else
# would compile the workspace twice. What ships is built by itself.
features=lyceum-cli/otel
target=$(cargo metadata --format-version 1 --no-deps \
    | sed -n 's/.*"target_directory":"\([^"]*\)".*/\1/p')
export LYCEUM_TEST_BINARY="$target/debug/lyceum"
export FAULT_FIGURES="$target/faults.jsonl"
rm -f "$FAULT_FIGURES"

if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run --workspace --features "$features" --profile "$tests" "$@"
else
    # Building it would take longer than it saves. Cargo knows no quick half.
    echo "cargo-nextest is not installed, cargo test does the same more slowly, and all of it" >&2
    cargo test --workspace --features "$features" --all-targets
fi
if [ "$tests" = all ]; then
    # What the comparison with others goes by; that it runs is for `make bench-peers` to show.
    python3 -m unittest discover -s bench/peers/tests -t bench/peers
    # What the simulation of clusters goes by.
    python3 -m unittest discover -s bench/placement/tests -t bench/placement
    sh tests/support/setup/tell_faults.sh "$FAULT_FIGURES"
fi
cargo test --workspace --features "$features" --doc
