#!/bin/sh
# Prints the folder that holds PostgreSQL's server programs, or fails without a word.
# The tests and the set-up both ask here, so they cannot disagree about what is installed.

has_server() {
    [ -x "$1/initdb" ] && [ -x "$1/pg_ctl" ] && [ -x "$1/postgres" ] && [ -x "$1/psql" ]
}

# pg_config comes first: it is how someone with several versions says which one is meant.
configured=$(pg_config --bindir 2>/dev/null)
if [ -n "$configured" ] && has_server "$configured"; then
    echo "$configured"
    exit 0
fi

# Debian and Ubuntu keep the server programs out of PATH, one folder per version; newest first.
for folder in $(ls -d /usr/lib/postgresql/*/bin /usr/pgsql-*/bin 2>/dev/null | sort -rV); do
    if has_server "$folder"; then
        echo "$folder"
        exit 0
    fi
done

on_path=$(command -v postgres) || exit 1
on_path=$(dirname "$on_path")
has_server "$on_path" && echo "$on_path"
