#!/bin/sh
# Moves a workspace from one database to another. docs/sharding.md says what has to be so before.
#
#   move-workspace.sh FROM TO UUID         moves the rows of the platform; prints the keys of its files
#   move-workspace.sh --files FROM UUID    prints the keys of its files, and moves nothing
#   move-workspace.sh --back FROM TO UUID  removes from TO what FROM has still, after a move that was cut off
#
# FROM and TO are whatever psql takes for a database: an address, or `service=…` with its password in ~/.pgpass. Ended with
# 0, the workspace is in TO alone. Ended with anything else, FROM has it still and is right.
set -eu

usage() {
    sed -n '4,6s/^#   /usage: /p' "$0" >&2
    exit 64
}

here=$(cd "$(dirname "$0")" && pwd)
export PGCLIENTENCODING=UTF8 PGOPTIONS="${PGOPTIONS-} --client-min-messages=warning"

# ask DATABASE UUID ARGUMENT…
ask() {
    database=$1 platform=$2
    shift 2
    psql -X -q -A -t -v ON_ERROR_STOP=1 -v platform="$platform" "$@" "$database"
}

# hold DATABASE UUID: keeps its work from being taken up, and waits until none is going on: what is cut off is done once more
# where it moves to, and an answer of AI is paid twice, or a webhook sent twice.
hold() {
    for _ in $(seq "${MOVE_PATIENCE:-120}"); do
        left=$(ask "$1" "$2" -f "$here/hold-workspace.sql")
        [ "$left" != 0 ] || return 0
        sleep 1
    done
    echo "work of it is still going on ($left): try again later" >&2
    return 1
}

# end STATUS DATABASE UUID: after a move that failed, the workspace goes on where it was.
end() {
    rm -rf "$folder"
    [ "$1" = 0 ] || if ask "$2" "$3" -f "$here/release-workspace.sql"; then
        echo "it did not move, and goes on where it was; if it is in both now, --back takes it back" >&2
    else
        echo "it is held still: --back ends that" >&2
    fi
    exit "$1"
}

case "$#${1-}" in
3--files) ask "$2" "$3" -f "$here/files-of-workspace.sql" ;;
4--back)
    ask "$2" "$4" -f "$here/release-workspace.sql"
    there=$(psql -X -q -A -t -v ON_ERROR_STOP=1 -v platform="$4" "$3" <<'SQL'
SELECT count(*) FROM workspaces WHERE platform_uuid = :'platform'
SQL
    )
    [ "$there" = 0 ] || ask "$3" "$4" -1 -f "$here/find-workspace.sql" -f "$here/remove-workspace.sql"
    ;;
3*)
    # The session of FROM sees by this file that the one of TO has committed.
    folder=$(mktemp -d)
    export MOVE_TO="$2" MOVE_COMMITTED="$folder/committed"
    trap 'end $? "$1" "$3"' EXIT
    trap 'exit 130' INT TERM
    hold "$1" "$3"
    ask "$1" "$3" -v place="\\i '$here/place-workspace.sql'" -f "$here/move-workspace.sql"
    ;;
*) usage ;;
esac
