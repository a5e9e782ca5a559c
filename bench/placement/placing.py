"""Where a new workspace is put. Nobody knows then how large it will be: what can be asked is how full each cluster is."""

import hashlib
import random


def drawn(*what):
    """A number that looks drawn by lot, and is the same for the same."""
    digest = hashlib.blake2b(repr(what).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big")


def by_hash(all_of_them, clusters, seed):
    """The hash of its name, modulo the number of clusters."""
    return {one.name: drawn(seed, one.name) % clusters for one in all_of_them}


def by_rendezvous(all_of_them, clusters, seed):
    """The cluster that draws the highest number together with its name."""

    def highest(one):
        return max(range(clusters), key=lambda cluster: drawn(seed, one.name, cluster))

    return {one.name: highest(one) for one in all_of_them}


class Filling:
    """How full clusters are at any month, while workspaces come and grow."""

    def __init__(self, clusters):
        self.a_month = [0.0] * clusters
        self.before = [0.0] * clusters

    def put(self, one, cluster):
        self.a_month[cluster] += one.a_month
        self.before[cluster] += one.a_month * one.made

    def at(self, month, cluster):
        return self.a_month[cluster] * month - self.before[cluster]


def by_choice(all_of_them, clusters, seed, choices):
    """The emptiest, at the moment, of so many clusters that are drawn by lot."""
    chance = random.Random(seed)
    filling, place = Filling(clusters), {}
    for one in all_of_them:
        asked = chance.sample(range(clusters), choices)
        place[one.name] = min(asked, key=lambda cluster: filling.at(one.made, cluster))
        filling.put(one, place[one.name])
    return place


def to_the_emptiest(all_of_them, clusters, seed):
    """The emptiest of all clusters."""
    return by_choice(all_of_them, clusters, seed, clusters)


def to_the_emptier_of_two(all_of_them, clusters, seed):
    """The emptier of two clusters that are drawn by lot."""
    return by_choice(all_of_them, clusters, seed, 2)


PLACINGS = {
    "hash": by_hash,
    "emptiest": to_the_emptiest,
    "emptier of two": to_the_emptier_of_two,
}


def loads(all_of_them, place, clusters, month):
    """What each cluster holds in a month."""
    held = [0.0] * clusters
    for one in all_of_them:
        held[place[one.name]] += one.a_month * max(0, month - one.made)
    return held


def fullest(held):
    """How much fuller the fullest is than all are on average."""
    return max(held) * len(held) / sum(held)
