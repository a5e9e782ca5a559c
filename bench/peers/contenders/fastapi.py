"""FastAPI on uvicorn: a worker per processor, uvloop, httptools, SQLAlchemy over asyncpg."""

import os

import installing
from peer import APPS, Peer
from processes import output
from seeds import seeds, uuid_of

APP = APPS / "fastapi"
KEY = "an-api-key-of-the-bench"


class FastApi(Peer):
    name = "FastAPI"
    page = "/courses?limit=20"
    new = "/courses"

    def install(self, cache):
        self.programs = installing.python(cache, APP)
        self.version = installing.pinned(APP, "fastapi")

    def start(self, place, cluster):
        self.rows = cluster.database("fastapi")
        self.headers = {"x-api-key": KEY}
        environment = os.environ | {
            "DATABASE_URL": self.rows.address("postgresql+asyncpg"),
            "PYTHONPATH": str(APP),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        output([self.programs / "python", "-m", "prepare", KEY], env=environment)
        arguments = ["--host=127.0.0.1", f"--port={self.port}", f"--workers={os.cpu_count()}"]
        arguments += ["--loop=uvloop", "--http=httptools", "--no-access-log", "--log-level=warning"]
        self.run([self.programs / "uvicorn", "app:app", *arguments], place, env=environment)

    def plant(self):
        self.seeds = seeds(uuid_of)
        self.rows.clone(self.seeds)

    def one(self, course_id):
        return f"/courses/{course_id}"
