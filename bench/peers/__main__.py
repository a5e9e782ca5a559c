"""The same work by Lyceum and by what a team would take instead, side by side on one machine.

    python3 bench/peers --lyceum BINARY [--rounds N] [--seconds S] [--only NAMES] [--json FILE]

docs/performance-peers.md says how to read what it prints. Ends with 1 where something that runs could not be measured;
a peer that cannot be installed here is told in the table.
"""

import argparse
import contextlib
import json
import os
import platform
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import installing
import report
from checks import check
from cluster import Cluster
from contenders import OTHERS, Lyceum
from load import Wrk
from processes import Failed
from rounds import Rounds


def arguments():
    parser = argparse.ArgumentParser(prog="peers", description="Lyceum beside its peers.")
    parser.add_argument("--lyceum", required=True, type=Path, help="the binary")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured")
    parser.add_argument("--seconds", type=int, default=5, help="how long each measurement is")
    parser.add_argument("--only", default="", help="peers to measure, such as FastAPI,Strapi")
    parser.add_argument("--json", type=Path, help="where the figures go")
    return parser.parse_args()


def chosen(only):
    """The peers that were asked for, or all."""
    wanted = [name.strip().lower() for name in only.split(",") if name.strip()]
    known = {other.name.lower(): other for other in OTHERS}
    if unknown := set(wanted) - set(known):
        sys.exit(f"there is no {', '.join(unknown)}: {', '.join(known)} are there")
    return [known[name]() for name in wanted or known]


def installed(peers):
    """Those that could be installed, and why others could not."""
    able, absent = [], {}
    for peer in peers:
        print(f"installing {peer.name}", file=sys.stderr)
        try:
            peer.install(installing.CACHE)
            able.append(peer)
        except (Failed, OSError) as failed:
            absent[peer.name] = f"it could not be installed: {failed}"
    return able, absent


def brought_up(peers, cluster, folder, stack):
    """Those that came up and do the work, and why others do not."""
    able, broken = [], {}
    for peer in peers:
        print(f"starting {peer.name}", file=sys.stderr)
        place = folder / peer.name.split()[0].lower()
        place.mkdir()
        stack.callback(peer.stop)
        try:
            peer.start(place, cluster)
            peer.fill()
            check(peer)
            able.append(peer)
        except Failed as failed:
            broken[peer.name] = str(failed)
            peer.stop()
    return able, broken


def measure(options, peers, stack):
    """All of it; whatever happens, what was started ends with the stack."""
    able, absent = installed(peers)
    # PostgreSQL, under another name than ours, has to reach what lies in there.
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="lyceum-peers-")))
    folder.chmod(0o711)
    cluster = Cluster(folder / "postgres")
    stack.callback(cluster.stop)
    able, broken = brought_up(able, cluster, folder, stack)
    rounds = Rounds(Wrk(folder), cluster, options.seconds)
    rounds.run(able, options.rounds)
    how = {
        "rounds": options.rounds,
        "seconds": options.seconds,
        "cpus": os.cpu_count(),
        "kernel": platform.release(),
    }
    whole = report.as_json(rounds, peers, absent | broken, how)
    return whole, not (broken or rounds.failures)


def end(signal_number, _frame):
    """Ends with everything put away."""
    sys.exit(128 + signal_number)


def main():
    options = arguments()
    for asked_to_end in (signal.SIGINT, signal.SIGTERM):
        signal.signal(asked_to_end, end)
    lyceum = Lyceum(options.lyceum.resolve())
    if not shutil.which("wrk"):
        sys.exit("wrk is missing: `make bench-peers` installs it where it may")
    peers = [lyceum, *chosen(options.only)]
    with contextlib.ExitStack() as stack:
        try:
            whole, is_well = measure(options, peers, stack)
        finally:
            # Who is impatient meanwhile would leave processes behind.
            for asked_to_end in (signal.SIGINT, signal.SIGTERM):
                signal.signal(asked_to_end, signal.SIG_IGN)
    print(report.as_text(whole))
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(whole, indent=2, ensure_ascii=False) + "\n")
    sys.exit(not is_well)


main()
