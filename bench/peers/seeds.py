"""The courses that are there before the load comes, and those that it makes."""

import datetime
import random
import uuid
from dataclasses import dataclass

COUNT = 10_000
ASKED_FOR = 2_000
START = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
TEMPLATE = "Template"


@dataclass(frozen=True)
class Seed:
    """A course that is there: what tells it from the others."""

    id: str
    name: str
    moment: str


def seeds(id_of):
    """All of them, oldest first; `id_of` makes the id of the n-th, as the peer's own look."""
    return [Seed(id_of(n), f"Course {n}", moment(n)) for n in range(COUNT)]


def uuid_of(n):
    """The n-th id where ids are random UUIDs."""
    return str(uuid.UUID(int=random.Random(n).getrandbits(128), version=4))


def moment(n):
    """The n-th was made n seconds after the first, and all of them before today."""
    return (START + datetime.timedelta(seconds=n)).isoformat(sep=" ", timespec="milliseconds")


def asked_for(all_seeds):
    """Those that are asked for by id: the same ones in every run."""
    return random.Random(1).sample(all_seeds, min(ASKED_FOR, len(all_seeds)))


def new_course(name):
    """What a POST says; the other columns are for the peer to fill."""
    return {
        "name": name,
        "language": "en",
        "description": "Written by the bench.",
        "hours": 6,
        "metadata": {"source": "bench"},
    }
