"""Workspaces of a country: when each was made and what it holds at the end."""

import random
from dataclasses import dataclass

MONTHS = 60
MEDIAN_BYTES = 10_000_000


@dataclass(frozen=True)
class Workspace:
    """One that grows evenly, from nothing when it is made to all that it holds in the last month."""

    name: int
    made: int
    bytes: int

    @property
    def a_month(self):
        return self.bytes / (MONTHS - self.made)


def workspaces(count, exponent, seed):
    """So many, in the order in which they are made: the one of rank `r` holds `r ** -exponent` of what the first does."""
    chance = random.Random(seed)
    ranks = list(range(1, count + 1))
    chance.shuffle(ranks)
    median = (count / 2) ** -exponent
    sizes = (max(1, round(MEDIAN_BYTES * rank**-exponent / median)) for rank in ranks)
    made = sorted(chance.randrange(MONTHS) for _ in ranks)
    return [Workspace(name, month, size) for name, (month, size) in enumerate(zip(made, sizes))]
