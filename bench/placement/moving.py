"""What moves when clusters are added, or when some have become too full."""

from bisect import bisect_right, insort
from dataclasses import dataclass


@dataclass(frozen=True)
class Moved:
    """How many workspaces moved, their bytes, and those of the largest."""

    workspaces: int
    bytes: int
    largest: int


def moved(all_of_them, before, after):
    """What is in another place than before."""
    sizes = [one.bytes for one in all_of_them if before[one.name] != after[one.name]]
    return Moved(len(sizes), sum(sizes), max(sizes, default=0))


def greedily(all_of_them, place, clusters, most, largest=float("inf"), enough=1.02):
    """Takes from the fullest for the emptiest, each time the largest that overfills nobody, until the fullest is no more
    than `enough` times as full as all on average. Never more than `most` bytes in all, and none larger than `largest`."""
    place, held = dict(place), [0] * clusters
    shelves = [[] for _ in range(clusters)]
    for one in sorted(all_of_them, key=lambda one: (one.bytes, one.name)):
        shelves[place[one.name]].append((one.bytes, one.name))
        held[place[one.name]] += one.bytes
    mean = sum(held) / clusters
    while True:
        order = sorted(range(clusters), key=held.__getitem__)
        empty, full = order[0], order[-1]
        if held[full] <= enough * mean:
            return place
        fits = min(held[full] - mean, mean - held[empty], most, largest)
        index = bisect_right(shelves[full], (fits, float("inf"))) - 1
        if index < 0:
            return place
        size, name = shelves[full].pop(index)
        insort(shelves[empty], (size, name))
        place[name] = empty
        held[full], held[empty], most = held[full] - size, held[empty] + size, most - size
