"""What the bench knows of a peer: how to bring it up, what to ask it, and how to read what it answers."""

from pathlib import Path

from cluster import free_port
from http_client import ask
from processes import Failed, Process, bound_to_us, wait_until
from seeds import TEMPLATE, new_course

APPS = Path(__file__).parent / "apps"


class Peer:
    """A peer. Those of `contenders` say what is different about theirs."""

    name = ""
    version = ""
    #: Whether it keeps courses in the PostgreSQL of the bench.
    on_postgres = True
    #: The paths of the page of twenty, newest first, and of creation.
    page = ""
    new = ""

    def __init__(self):
        self.process, self.rows, self.seeds = None, None, []
        self.port, self.headers = free_port(), {}

    # What each peer says of itself.

    def install(self, cache):
        """Brings what it needs, into a folder that is kept."""

    def start(self, place, cluster):
        """Comes up with an empty table of courses; sets `rows` and `headers`."""
        raise NotImplementedError

    def plant(self):
        """Puts the seeds there and sets `seeds`; the only row that there is shows how a course looks."""
        raise NotImplementedError

    def one(self, course_id):
        """The path of a course."""
        raise NotImplementedError

    def sent(self, course):
        """How it wants a new course."""
        return course

    def course(self, answer):
        """The course in an answer."""
        return answer

    def courses(self, answer):
        """The courses of a page."""
        return answer

    # What is alike for all.

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.port}"

    def ask(self, method, path, body=None, headers=None):
        headers = self.headers if headers is None else headers
        return ask(method, self.origin + path, headers, body)

    def must(self, method, path, body=None, headers=None):
        """What it answers, if that is no refusal."""
        status, answer = self.ask(method, path, body, headers)
        if not 200 <= status < 300:
            raise Failed(f"{method} {path} was answered with {status}: {str(answer)[:300]}")
        return answer

    def count(self):
        """How many courses are in its database."""
        return self.rows.count()

    def fill(self):
        """Lets it make a course, and puts ten thousand like that there."""
        self.must("POST", self.new, self.sent(new_course(TEMPLATE)))
        self.plant()

    def run(self, arguments, place, ready="/", seconds=60, **options):
        """Starts its server and waits until it answers there, whatever it says."""
        arguments = [*bound_to_us("KILL"), *map(str, arguments)]
        self.process = Process(arguments, place / "log", **options)
        wait_until(lambda: self.ask("GET", ready)[0] > 0, self.process, self.name, seconds)

    def stop(self):
        if self.process:
            self.process.stop()
            self.process = None
