#!/bin/sh
# Runs one PostgreSQL cluster for as long as a test run lasts: makes it, starts it, waits until the
# test runner is gone, stops it, removes every trace.
#
# One process owns the cluster from the first file to the last. A test cannot: it may crash, be
# killed for being slow, or end while its neighbours still need the cluster.
#
#   throwaway_postgres.sh <server programs> <new empty folder> <port> <pid of the runner> <run folder> [<port of a standby>]
#
# `<run folder>/port` appears once the cluster answers, and its standby where there is to be one. The run folder goes with the cluster; only
# while the runner still wants to read why there is none, it stays.
set -u
bin=$1 home=$2 port=$3 runner=$4 run=$5 standby=${6:-}
data=$home/data

# PostgreSQL refuses to run as root, so root hands the folder to somebody with fewer rights.
if [ "$(id -u)" -ne 0 ]; then
    unprivileged() { "$@"; }
else
    user=postgres
    id "$user" >/dev/null 2>&1 || user=nobody
    chown "$user" "$home"
    if command -v runuser >/dev/null; then
        unprivileged() { runuser -u "$user" -- "$@"; }
    else
        unprivileged() { su -s /bin/sh "$user" -c 'exec "$0" "$@"' -- "$@"; }
    fi
fi
# The unprivileged user may not be able to read the folder the tests were started in.
cd "$home" || exit 1

make_cluster() {
    unprivileged "$bin/initdb" --pgdata="$data" --username=postgres --auth=trust \
        --encoding=UTF8 --no-sync --no-instructions "$@"
}

# No socket file, because its path may be too long. Nothing waits for the disk: if the machine goes
# down, so do the tests. Nothing is vacuumed or counted behind a test's back: of hundreds of databases
# that live for seconds, it would change now this one's plans and now that one's.
# start_server <data> <port>
start_server() {
    unprivileged "$bin/pg_ctl" start --pgdata="$1" --wait --timeout=60 --silent \
        --log="$home/server.log" --options="-p $2 \
        -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=300 \
        -c autovacuum=off -c jit=off -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_wal_size=4GB"
}

# stop_server <data>
stop_server() {
    [ -f "$1/postmaster.pid" ] || return
    left=$(head -n 1 "$1/postmaster.pid")
    unprivileged "$bin/pg_ctl" stop --pgdata="$1" --mode=immediate --wait --timeout=20 \
        || kill -KILL "$left"
}

make_standby() {
    unprivileged "$bin/pg_basebackup" --write-recovery-conf --username=postgres --host=127.0.0.1 --port="$port" \
        --checkpoint=fast --no-sync --pgdata="$home/standby" \
        && start_server "$home/standby" "$standby"
}

# A hard stop is right for data nobody will read again.
remove_cluster() {
    if [ -f "$run/port" ] || ! runner_lives; then
        rm -rf "$run"
    fi
    stop_server "$home/standby"
    stop_server "$data"
    cd / && rm -rf "$home"
}

runner_lives() { kill -0 "$runner" 2>/dev/null; }
server_lives() { kill -0 "$server" 2>/dev/null; }

# A database carries the id of the process that made it; once that is gone nobody can want it, and
# a few hundred of them would fill a small disk.
drop_orphans() {
    ask="$bin/psql -h 127.0.0.1 -p $port -U postgres -XAtq"
    for database in $($ask -c "SELECT datname FROM pg_database WHERE datname LIKE 'test\_%'"); do
        maker=${database#test_}
        kill -0 "${maker%_*}" 2>/dev/null || $ask -c "DROP DATABASE $database WITH (FORCE)"
    done
}

trap remove_cluster EXIT
trap 'exit 1' HUP INT TERM

# Production databases sort by the rules of a language, and a query that silently leans on byte
# order must fail here first. PostgreSQL before 15, or built without ICU, cannot promise that.
make_cluster --locale=C --locale-provider=icu --icu-locale=en \
    || { rm -rf "$data" && make_cluster --locale=C; } || exit 1
runner_lives || exit 1
start_server "$data" "$port" || { cat "$home/server.log"; exit 1; }
[ -z "$standby" ] || make_standby || { cat "$home/server.log"; exit 1; }
server=$(head -n 1 "$data/postmaster.pid")

# Moved into place, so that nobody reads half a number.
echo "$port" >"$run/port.new" && mv "$run/port.new" "$run/port" || exit 1

ticks=0
while runner_lives && server_lives; do
    sleep 0.2
    ticks=$((ticks + 1))
    [ $((ticks % 25)) -ne 0 ] || drop_orphans
done
