#!/bin/sh
# Shows the figures of the fault tests as a table: tell_faults.sh <file of JSON lines>
set -eu
[ -s "$1" ] || exit 0

jq -rs '
    ["test", "database", "outcome", "s", "rounds", "acked", "unknown", "jobs", "events", "deliveries",
        "lost", "doubled", "seed"],
    (sort_by(.test, .database)[] | [.test, .database, (.outcome | split(":")[0]), .seconds, .rounds, .acked, .unknown,
        .jobs, .events, .deliveries, .lost, .doubled, .seed])
    | map(tostring) | @tsv' "$1" \
    | awk -F '\t' '{ printf "%-16s %-9s %-8s %4s %7s %7s %8s %6s %7s %11s %5s %8s  %s\n", \
        $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13 }'
jq -r 'select(.outcome | startswith("skipped")) | "\(.test) was \(.outcome)"' "$1"
