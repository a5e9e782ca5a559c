#!/bin/sh
# Builds the program that we ship, laid out by what it does: sh packaging/tuned_build.sh [PROFILE]
#
# A first build counts how often each of its parts runs under the bench's load, on SQLite and on PostgreSQL; the second has near at hand
# what runs often (https://doc.rust-lang.org/rustc/profile-guided-optimization.html). Counts differ a little from run to run, and so
# do the programs. The last line says where it is.
set -eu
profile=${1:-dist}
cd "$(dirname "$0")/.."
target=$(cargo metadata --format-version 1 --no-deps | sed -n 's/.*"target_directory":"\([^"]*\)".*/\1/p')
host=$(rustc -vV | sed -n 's/^host: //p')
merge=$(rustc --print sysroot)/lib/rustlib/$host/bin/llvm-profdata
tuning=$target/tuning
if ! [ -x "$merge" ] && command -v rustup >/dev/null; then
    rustup component add llvm-tools >&2
fi
[ -x "$merge" ] || {
    echo "llvm-profdata is missing: \`rustup component add llvm-tools\`, or leave the tuning out: make release TUNED=no" >&2
    exit 1
}

# build FOLDER PROFILE FLAGS: with a target named, the flags are not those of what runs only while something is built.
build() {
    RUSTFLAGS=$3 cargo build --locked --profile "$2" --target "$host" --target-dir "$tuning/$1" -p lyceum-cli --bin lyceum >&2
}

rm -rf "$tuning/counts"
build counting release "-Cprofile-generate=$tuning/counts"
cargo build --locked --release -p lyceum-bench --bin lyceum-bench >&2
# What counts is slow, so its figures say nothing.
"$target/release/lyceum-bench" --server "$tuning/counting/$host/release/lyceum" --rounds 1 --seconds 4 \
    --only get,list,post,post-one,callers,mixed,shipped,gradings,expand,postgres >&2
"$merge" merge -o "$tuning/lyceum.profdata" "$tuning/counts"
build tuned "$profile" "-Cprofile-use=$tuning/lyceum.profdata"
mkdir -p "$target/tuned"
cp "$tuning/tuned/$host/$profile/lyceum" "$target/tuned/lyceum"
echo "$target/tuned/lyceum"
