"""Django REST Framework on gunicorn, with as many workers as gunicorn recommends, and connections that stay.

The workers are of gunicorn's default kind, which closes a connection behind each answer: with threads that keep them
(`gthread`) it did no more.
"""

import os

import installing
from peer import APPS, Peer
from processes import output
from seeds import seeds, uuid_of

APP = APPS / "django"
USER = "bench"


class Django(Peer):
    name = "Django"
    page = "/courses/"
    new = "/courses/"

    def install(self, cache):
        self.programs = installing.python(cache, APP)
        django, rest = (installing.pinned(APP, name) for name in ("Django", "djangorestframework"))
        self.version = f"{django} with REST framework {rest}"

    def start(self, place, cluster):
        self.rows = cluster.database("django")
        self.environment = os.environ | {
            "DATABASE_PORT": str(cluster.port),
            "DATABASE_NAME": self.rows.name,
            "SECRET_KEY": "only for the bench",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        self.manage("migrate", "--verbosity=0")
        self.manage("createsuperuser", "--noinput", f"--username={USER}", "--email=a@bench.example")
        # "Generated token … for user …"
        token = self.manage("drf_create_token", USER).split()[2]
        self.headers = {"authorization": f"Token {token}"}
        arguments = [f"--bind=127.0.0.1:{self.port}", f"--workers={2 * os.cpu_count() + 1}"]
        program = self.programs / "gunicorn"
        self.run([program, "school.wsgi", *arguments], place, env=self.environment, cwd=APP)

    def manage(self, *arguments):
        command = [str(self.programs / "python"), "manage.py", *arguments]
        return output(command, env=self.environment, cwd=APP)

    def plant(self):
        self.seeds = seeds(uuid_of)
        self.rows.clone(self.seeds)

    def one(self, course_id):
        return f"/courses/{course_id}/"

    def courses(self, answer):
        return answer["results"]
