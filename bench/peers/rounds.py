"""Peers under load in turns: a round has each of them, and each round begins with another one."""

import sys

from figures import Measured
from load import WORKS
from processes import Failed

WARM_UP = 2


def turns(peers, number):
    """All of them, beginning with another one in each round."""
    start = number % len(peers) if peers else 0
    return [*peers[start:], *peers[:start]]


class Rounds:
    """What came of the rounds: figures by work and peer, and what failed."""

    def __init__(self, wrk, cluster, seconds):
        self.wrk, self.cluster, self.seconds = wrk, cluster, seconds
        self.measured = {work.name: {} for work in WORKS}
        self.failures = {}

    def run(self, peers, count):
        for work in WORKS:
            for peer in peers:
                self._attempt(peer, work, lambda peer, work: self._load(peer, work, WARM_UP))
        for number in range(count):
            print(f"round {number + 1} of {count}", file=sys.stderr)
            for work in WORKS:
                for peer in turns(peers, number):
                    self._attempt(peer, work, self._measure)

    def _attempt(self, peer, work, do):
        """Does it, unless this work has failed this peer before."""
        if (work.name, peer.name) in self.failures:
            return
        try:
            do(peer, work)
        except Failed as failed:
            self.failures[work.name, peer.name] = str(failed)
            print(f"{peer.name}, {work.name}: {failed}", file=sys.stderr)

    def _measure(self, peer, work):
        measured = self._load(peer, work, self.seconds)
        self.measured[work.name].setdefault(peer.name, []).append(measured)

    def _load(self, peer, work, seconds):
        rows = peer.count() if work.name == "create" else 0
        before = self._cpu_seconds(peer)
        told = self.wrk.send(peer, work, seconds)
        after = self._cpu_seconds(peer)
        answers = told["requests"]
        if work.name == "create" and peer.count() - rows < answers:
            raise Failed(f"{answers} courses were acknowledged, {peer.count() - rows} are there")
        own, database = ((to - since) * 1e6 / answers for since, to in zip(before, after))
        rate = answers / (told["micros"] / 1e6)
        return Measured(rate, told["p50"], told["p99"], own, database if peer.on_postgres else None)

    def _cpu_seconds(self, peer):
        return peer.process.cpu_seconds(), self.cluster.process.cpu_seconds()
