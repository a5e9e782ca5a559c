"""Load over HTTP, by wrk; its figures come as the line of JSON that tell.lua prints."""

import json
from dataclasses import dataclass
from pathlib import Path

from processes import Failed, bound_to_us, output
from seeds import asked_for, new_course

SCRIPTS = Path(__file__).parent
#: Longer than any answer takes, since an answer that is late is measured and not an error.
TIMEOUT = "60s"
NAME = "NAME-OF-A-NEW-COURSE"


@dataclass(frozen=True)
class Work:
    """Something that every peer is asked to do."""

    name: str
    title: str
    connections: int
    #: How many times a peer's rate ours is to be.
    goal: float


WORKS = (
    Work("get", "GET one of 10 000 courses by its id", 32, 10),
    Work("list", "GET the newest 20 courses", 32, 10),
    Work("create", "POST a course", 64, 5),
)


class Wrk:
    """Sends loads; keeps its scripts and what it sends in a folder."""

    def __init__(self, folder):
        self.folder = folder
        tell = (SCRIPTS / "tell.lua").read_text()
        for name in ("paths.lua", "posts.lua"):
            script = (SCRIPTS / name).read_text()
            (folder / name).write_text(f"{script}\n{tell}")

    def send(self, peer, work, seconds):
        """The figures of so many seconds; Failed if an answer was no success: who refuses is fast."""
        command = [*bound_to_us("KILL"), "wrk", "--threads=1", "--timeout", TIMEOUT]
        command += [f"--connections={work.connections}", f"--duration={seconds}s"]
        for name, value in peer.headers.items():
            command += ["--header", f"{name}: {value}"]
        told = figures(output([*command, *self._aim(peer, work)]))
        failed = told["refused"] + told["broken"]
        if failed or not told["requests"]:
            raise Failed(
                f"of {told['requests']} answers under load {told['refused']} were refusals, "
                f"and {told['broken']} connections broke"
            )
        return told

    def _aim(self, peer, work):
        if work.name == "create":
            body = self.folder / "body.json"
            body.write_text(json.dumps(peer.sent(new_course(NAME))))
            script = self.folder / "posts.lua"
            return ["--script", str(script), peer.origin + peer.new, "--", str(body), NAME]
        seeds = asked_for(peer.seeds) if work.name == "get" else []
        paths = [peer.one(seed.id) for seed in seeds] or [peer.page]
        listed = self.folder / "paths.txt"
        listed.write_text("\n".join(paths))
        return ["--script", str(self.folder / "paths.lua"), peer.origin, "--", str(listed)]


def figures(printed):
    """The line of JSON among what wrk prints."""
    for line in printed.splitlines():
        if line.startswith("{"):
            return json.loads(line)
    raise Failed(f"wrk did not tell its figures: {printed.strip()}")
