"""Lyceum itself, as the bench beside us runs it: all that ships is on, but limits of rates."""

import json

from peer import Peer
from processes import output, without_settings
from seeds import START, seeds

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def course_id(n):
    """The n-th id: a UUIDv7 of its moment in Crockford's base 32, which sorts as a real one does."""
    moment = int(START.timestamp() * 1000) + n * 1000
    number = moment << 80 | 0x7 << 76 | 0x8 << 60 | n
    return "crs_" + "".join(ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))


class Lyceum(Peer):
    name = "Lyceum"
    page = "/v1/courses?limit=20"
    new = "/v1/courses"

    def __init__(self, binary):
        super().__init__()
        self.binary = binary

    def install(self, cache):
        self.version = output([self.binary, "--version"]).strip().removeprefix("lyceum ")

    def start(self, place, cluster):
        self.rows = cluster.database("lyceum")
        environment = without_settings("LYCEUM_") | {
            "LYCEUM_DATA_DIR": str(place),
            "LYCEUM_DATABASE_URL": self.rows.address(),
            "LYCEUM_LISTEN": f"127.0.0.1:{self.port}",
            "LYCEUM_RATE_LIMITS": "off",
            "LYCEUM_LOG": "warn",
        }
        owner = ["--email", "owner@bench.example", "--workspace", "Bench", "--code", "main"]
        made = output([self.binary, "bootstrap", *owner, "--json"], env=environment)
        key = json.loads(made)["api_key"]
        self.headers = {"x-api-key": key, "x-learning-platform-code": "main"}
        self.run([self.binary, "serve"], place, "/readyz", env=environment)

    def plant(self):
        self.seeds = seeds(course_id)
        self.rows.clone(self.seeds)

    def one(self, course_id):
        return f"/v1/courses/{course_id}"

    def courses(self, answer):
        return answer["data"]
