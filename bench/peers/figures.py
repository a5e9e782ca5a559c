"""What rounds come to: medians with their extremes, and our rate divided by each peer's."""

import statistics
from dataclasses import dataclass


@dataclass(frozen=True)
class Measured:
    """A peer under one load: answers a second, milliseconds, and microseconds of processor per request."""

    rate: float
    p50: float
    p99: float
    cpu: float
    #: PostgreSQL's part; none of those that do without it.
    database_cpu: float | None


@dataclass(frozen=True)
class Spread:
    """Of a figure over the rounds."""

    median: float
    least: float
    most: float


def spread(values):
    values = list(values)
    return Spread(statistics.median(values), min(values), max(values))


def median(rounds, figure):
    """Of one figure of the rounds; None where it was not taken."""
    taken = [getattr(measured, figure) for measured in rounds]
    return None if None in taken else statistics.median(taken)


def ratios(ours, theirs):
    """Our rate by theirs, round by round: what the machine did meanwhile met both."""
    return spread(our.rate / their.rate for our, their in zip(ours, theirs, strict=True))
