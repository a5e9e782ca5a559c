#!/bin/sh
# Holds what comes from others against advisories, licences and floors. With a network the stored advisories are brought
# up to date first; without one those that are stored count, and where none are stored that is said and not passed over.
#
#   ADVISORIES=FOLDER audit.sh   where advisories are stored; cargo's own folder for them otherwise
set -eu

stored=${ADVISORIES:-${CARGO_HOME:-$HOME/.cargo}/advisory-dbs}
case $stored in
/*) ;;
*) stored=$PWD/$stored ;;
esac
# The settings of the tree, with the place of the advisories.
settings=$(mktemp)
trap 'rm -f "$settings"' EXIT
sed "s#^\\[advisories\\]\$#[advisories]\\ndb-path = \"$stored\"#" deny.toml >"$settings"

has_advisories() {
    [ -n "$(find "$stored" -name 'RUSTSEC-*.md' -print 2>/dev/null | head -n 1)" ]
}

offline=
if ! cargo deny --config "$settings" fetch db >/dev/null 2>&1; then
    if ! has_advisories; then
        echo "audit: no advisories are stored in $stored, and they could not be fetched." >&2
        echo "audit: run this once with a network, or name a folder that was carried here: make audit ADVISORIES=FOLDER" >&2
        exit 1
    fi
    echo "audit: the advisories could not be brought up to date; those stored in $stored count" >&2
    offline=--offline
fi
cargo deny $offline --config "$settings" check
cargo deny $offline --manifest-path fuzz/Cargo.toml --config "$settings" check
