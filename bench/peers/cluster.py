"""PostgreSQL in a cluster of its own, with fsync on, as the bench beside us makes it (limits/postgres.rs)."""

import os
import shutil
import signal
import socket
from pathlib import Path

from processes import Failed, Process, bound_to_us, output, wait_until, without_settings

FIND = Path(__file__).parents[2] / "tests/support/setup/find_postgres.sh"
SETTINGS = (
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=200",
    "max_wal_size=4GB",
    # Both are so by default. They are what a durable write rests on, so they are said.
    "fsync=on",
    "synchronous_commit=on",
)


def free_port():
    """A port of the loopback address that was free a moment ago."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Cluster:
    """A running cluster."""

    def __init__(self, folder):
        self.folder, self.port = Path(folder), free_port()
        self.programs = Path(output(["sh", str(FIND)]).strip())
        self.folder.mkdir()
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres")
        self._make()
        self.process = self._start()

    def _make(self):
        options = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C"]
        # The server syncs; what it starts from need not be safe.
        options += ["--no-instructions", "--no-sync", f"--pgdata={self.folder / 'data'}"]
        output([*self._as_owner("initdb"), *options], cwd="/", env=self._environment())

    def _start(self):
        arguments = [*self._as_owner("postgres"), "-D", str(self.folder / "data")]
        arguments += ["-p", str(self.port)]
        for setting in SETTINGS:
            arguments += ["-c", setting]
        # INT ends connections and stops in order; killed outright it would leave shared memory behind.
        process = Process(
            arguments,
            self.folder / "log",
            stop_signal=signal.SIGINT,
            cwd="/",
            env=self._environment(),
        )
        try:
            wait_until(self._answers, process, "PostgreSQL")
        except BaseException:
            process.stop()
            raise
        return process

    def _as_owner(self, program):
        """A program of the server; it refuses to be run by root, so root lends it somebody else's name."""
        bound = bound_to_us("QUIT")
        if os.geteuid() == 0:
            bound += ["--reuid=postgres", "--regid=postgres", "--clear-groups"]
        return [*bound, str(self.programs / program)]

    @staticmethod
    def _environment():
        return without_settings("PG") | {"LC_ALL": "C"}

    def _answers(self):
        try:
            return bool(self.ask("postgres", "SELECT 1"))
        except Failed:
            return False

    def ask(self, database, sql):
        """What statements print, cells between bars."""
        options = ["-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1"]
        options += ["-U", "postgres", "-p", str(self.port), "-d", database]
        return output([str(self.programs / "psql"), *options], input=sql, env=self._environment())

    def database(self, name):
        """Makes an empty database."""
        self.ask("postgres", f"CREATE DATABASE {name} TEMPLATE template0")
        return Database(self, name)

    def stop(self):
        self.process.stop()


class Database:
    """A database of the cluster."""

    def __init__(self, cluster, name):
        self.cluster, self.name, self.port = cluster, name, cluster.port

    def address(self, scheme="postgres"):
        return f"{scheme}://postgres@127.0.0.1:{self.port}/{self.name}"

    def ask(self, sql):
        return self.cluster.ask(self.name, sql)

    def count(self, table="courses"):
        return int(self.ask(f"SELECT count(*) FROM {table}"))

    def clone(self, seeds, id_column="id", also=None, table="courses"):
        """Makes a row for each seed that is like the only row there is, which goes.

        So seeds are as the peer itself writes them. `also` says how further columns come about, as SQL.
        """
        given = {id_column: "s.id", "name": "s.name"}
        given |= {"created_at": "s.moment", "updated_at": "s.moment"} | (also or {})
        lines = "\n".join(f"{seed.id}\t{seed.name}\t{seed.moment}" for seed in seeds)
        changes = ", ".join(f"'{column}', {value}" for column, value in given.items())
        self.ask(
            "BEGIN;\n"
            "CREATE TEMP TABLE seeds (id text, name text, moment text) ON COMMIT DROP;\n"
            f"COPY seeds FROM stdin;\n{lines}\n\\.\n"
            f"CREATE TEMP TABLE template ON COMMIT DROP AS SELECT * FROM {table};\n"
            f"DELETE FROM {table};\n"
            f"INSERT INTO {table} SELECT r.* FROM template t, seeds s, "
            f"jsonb_populate_record(NULL::{table}, to_jsonb(t) || jsonb_build_object({changes})) r "
            "ORDER BY s.moment;\n"
            "COMMIT;\n"
            f"VACUUM ANALYZE {table};\n"
        )
