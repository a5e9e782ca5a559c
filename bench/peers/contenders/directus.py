"""Directus on PostgreSQL: a process per processor, a static token of a user who may read and create courses."""

import installing
from peer import APPS, Peer
from processes import output
from seeds import seeds, uuid_of

APP = APPS / "directus"
CLUSTER = APPS / "node/cluster.cjs"
ADMIN, TOKEN = "a-token-of-the-admin", "a-token-of-the-bench"


def field(name, kind, schema=None, special=None):
    meta = {"special": special} if special else {}
    return {"field": name, "type": kind, "schema": schema or {}, "meta": meta}


COLLECTION = {
    "collection": "courses",
    "schema": {},
    "meta": {},
    "fields": [
        field("id", "uuid", {"is_primary_key": True}, ["uuid"]),
        field("name", "string", {"is_nullable": False}),
        field("language", "string", {"is_nullable": False}),
        field("description", "text"),
        field("hours", "integer", {"default_value": 0}),
        field("status", "string", {"default_value": "draft"}),
        field("metadata", "json", special=["cast-json"]),
        field("created_at", "timestamp", {"is_indexed": True}, ["date-created"]),
        field("updated_at", "timestamp", special=["date-created", "date-updated"]),
    ],
}


class Directus(Peer):
    name = "Directus"
    page = "/items/courses?limit=20&sort=-created_at"
    new = "/items/courses"

    def install(self, cache):
        self.node = installing.Node(cache)
        self.program = self.node.packages(cache, APP) / "node_modules/directus/cli.js"
        self.version = installing.pinned(APP, "directus")

    def start(self, place, cluster):
        self.rows = cluster.database("directus")
        self.environment = self.settings(cluster)
        for folder in ("uploads", "extensions"):
            (place / folder).mkdir()
        output([self.node.program, self.program, "bootstrap"], cwd=place, env=self.environment)
        # Alone at first: several processes would each remember another schema.
        self.serve(place, [self.program])
        self.set_up()
        self.stop()
        self.serve(place, [CLUSTER, self.program])
        self.headers = {"authorization": f"Bearer {TOKEN}"}

    def serve(self, place, programs):
        command = [self.node.program, *programs, "start"]
        self.run(command, place, "/server/ping", cwd=place, env=self.environment)

    def settings(self, cluster):
        return self.node.environment() | {
            "NODE_ENV": "production",
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            "PUBLIC_URL": self.origin,
            "SECRET": "only for the bench, only for the bench",
            "DB_CLIENT": "pg",
            "DB_HOST": "127.0.0.1",
            "DB_PORT": str(cluster.port),
            "DB_DATABASE": self.rows.name,
            "DB_USER": "postgres",
            "DB_PASSWORD": "none",
            "ADMIN_EMAIL": "owner@example.com",
            "ADMIN_PASSWORD": "a password of the bench",
            "ADMIN_TOKEN": ADMIN,
            "LOG_LEVEL": "warn",
            "TELEMETRY": "false",
            # It would refuse what comes while it is busy, which is what a load does.
            "PRESSURE_LIMITER_ENABLED": "false",
        }

    def set_up(self):
        """The table, and somebody who may read it and add to it."""
        self.make("/collections", COLLECTION)
        actions = ("read", "create")
        may = [{"collection": "courses", "action": each, "fields": ["*"]} for each in actions]
        policy = self.make("/policies", {"name": "Courses", "permissions": may})
        role = self.make("/roles", {"name": "Courses", "policies": [{"policy": policy}]})
        self.make("/users", {"email": "bench@example.com", "role": role, "token": TOKEN})

    def make(self, path, body):
        made = self.must("POST", path, body, {"authorization": f"Bearer {ADMIN}"})
        return made["data"].get("id")

    def plant(self):
        self.seeds = seeds(uuid_of)
        self.rows.clone(self.seeds)

    def one(self, course_id):
        return f"/items/courses/{course_id}"

    def course(self, answer):
        return answer["data"]

    def courses(self, answer):
        return answer["data"]
