#!/bin/sh
# Gives each file of a new clone the time it had in the clone before, if it is what it was.
#
#   keep_times.sh FOLDER   the folder that keeps what was built, and with it the times
#
# Cargo goes by times, and in a new clone all files are new: without this everything is built again whatever the change. It
# is what a folder that stays gets from `git pull`: what is not touched keeps its time, what changed is of now. The times are
# written down before anything is built by them, so that a build that is cut off leaves none that are too old.
set -eu
kept=$1
cd "$(dirname "$0")/../../.."
# What is not committed has no name to know it by again.
[ -z "$(git status --porcelain)" ] || exit 0
mkdir -p "$kept"
# Another folder is another build.
times="$kept/times-$(pwd | cksum | tr ' ' '-')"
[ -f "$times" ] || : >"$times"

git -c core.quotePath=false ls-tree -r -t HEAD | tr ' ' '\t' \
    | awk -F'\t' -v OFS='\t' -v times="$times" -v now="$(date +%s.%N)" '
        BEGIN { while ((getline line < times) > 0) { split(line, was, FS); time[was[2] FS was[3]] = was[1] } }
        { known = $3 FS $4; print (known in time ? time[known] : now), $3, $4 }' >"$times.new"
mv "$times.new" "$times"
cut -f 1 "$times" | sort -u | while read -r time; do
    awk -F'\t' -v time="$time" '$1 "" == time "" { print $3 }' "$times" | tr '\n' '\0' | xargs -0 touch -h -c -d "@$time"
done
