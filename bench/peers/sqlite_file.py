"""The courses of a peer that keeps them in a file of SQLite's, which it has open meanwhile."""

import contextlib
import sqlite3

TABLE = "courses"


class SqliteFile:
    """The file."""

    def __init__(self, path):
        self.path = path

    def _open(self):
        return contextlib.closing(sqlite3.connect(self.path, timeout=30))

    def count(self):
        with self._open() as database:
            return database.execute(f"SELECT count(*) FROM {TABLE}").fetchone()[0]

    def clone(self, seeds):
        """Makes a row for each seed that is like the only row there is, which goes."""
        with self._open() as database, database:
            database.row_factory = sqlite3.Row
            template = dict(database.execute(f"SELECT * FROM {TABLE}").fetchone())
            database.execute(f"DELETE FROM {TABLE}")
            names = ", ".join(f":{name}" for name in template)
            rows = [template | self._given(seed) for seed in seeds]
            insert = f"INSERT INTO {TABLE} ({', '.join(template)}) VALUES ({names})"
            database.executemany(insert, rows)

    @staticmethod
    def _given(seed):
        moment = {"created_at": seed.moment, "updated_at": seed.moment}
        return {"id": seed.id, "name": seed.name, **moment}
