"""Strapi on PostgreSQL, in production: a process per processor, a token that may do everything, no screens."""

import shutil

import installing
from peer import APPS, Peer
from processes import output
from seeds import seeds

APP = APPS / "strapi"
CLUSTER = APPS / "node/cluster.cjs"
PROGRAM = "node_modules/@strapi/strapi/bin/strapi.js"


class Strapi(Peer):
    name = "Strapi"
    # Without a total, which would be counted each time.
    page = (
        "/api/courses?sort=createdAt:desc&pagination%5BpageSize%5D=20&pagination%5BwithCount%5D=0"
    )
    new = "/api/courses"

    def install(self, cache):
        self.node = installing.Node(cache)
        self.packages = self.node.packages(cache, APP) / "node_modules"
        self.version = installing.pinned(APP, "@strapi/strapi")

    def start(self, place, cluster):
        self.rows = cluster.database("strapi")
        app = place / "app"
        shutil.copytree(APP, app)
        (app / "node_modules").symlink_to(self.packages)
        environment = self.node.environment() | {
            "NODE_ENV": "production",
            "DATABASE_PORT": str(cluster.port),
            "DATABASE_NAME": self.rows.name,
            "PORT": str(self.port),
            "SECRET": "only for the bench",
            "STRAPI_TELEMETRY_DISABLED": "true",
        }
        printed = output([self.node.program, "prepare.js"], cwd=app, env=environment)
        token = next(line for line in printed.splitlines() if line.startswith("token "))
        self.headers = {"authorization": f"Bearer {token.split()[1]}"}
        command = [self.node.program, CLUSTER, PROGRAM, "start"]
        self.run(command, place, "/_health", cwd=app, env=environment)

    def plant(self):
        self.seeds = seeds(document_id)
        self.rows.clone(self.seeds, "document_id", {"id": "nextval('courses_id_seq')"})

    def one(self, course_id):
        return f"/api/courses/{course_id}"

    def sent(self, course):
        return {"data": course}

    def course(self, answer):
        return answer["data"]

    def courses(self, answer):
        return answer["data"]


def document_id(n):
    """The n-th id, as long as its own."""
    return f"seed{n:020}"
