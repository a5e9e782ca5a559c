"""The figures, over several seeds, as tables of Markdown: median (least to most)."""

from statistics import median

from moving import greedily, moved
from placing import PLACINGS, by_hash, by_rendezvous, fullest, loads, to_the_emptier_of_two
from workspaces import MONTHS, workspaces

SHOWN = (6, 12, 24, MONTHS)
# What one may be at most, where all that belongs to it stands still while it moves.
SMALL = 1_000_000_000


def told(figures, form="{:.2f}"):
    """Their median, and how far they are apart."""
    least, middle, most = (form.format(f) for f in (min(figures), median(figures), max(figures)))
    return middle if least == most else f"{middle} ({least} to {most})"


def table(heads, rows):
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def sizes(worlds):
    """How skewed they are."""
    ordered = sorted((one.bytes for one in worlds[0]), reverse=True)
    middle, total = ordered[len(ordered) // 2], sum(ordered)
    many = sum(size >= 1000 * middle for size in ordered)
    return (
        f"{len(ordered)} workspaces of {total / 1e12:.2f} TB: the largest {ordered[0] / 1e9:.1f} GB"
        f" ({100 * ordered[0] / total:.1f} %), {many} of 1000 times the median of {middle / 1e6:.0f} MB or more"
    )


def placing(worlds, clusters):
    """How full the fullest is, month by month."""
    rows = []
    for name, place in PLACINGS.items():
        placed = [(world, place(world, clusters, seed)) for seed, world in enumerate(worlds)]
        full = [[fullest(loads(w, p, clusters, month)) for w, p in placed] for month in SHOWN]
        rows.append([name, *map(told, full)])
    return table(["Placed by", *(f"month {month}" for month in SHOWN)], rows)


def row(name, cases):
    """How full the fullest was and is, and what moved, of cases of (workspaces, before, after, clusters before and after)."""
    was = [fullest(loads(w, b, n, MONTHS)) for w, b, _, n, _ in cases]
    now = [fullest(loads(w, a, n, MONTHS)) for w, _, a, _, n in cases]
    what = [moved(world, before, after) for world, before, after, _, _ in cases]
    totals = [sum(one.bytes for one in world) for world, *_ in cases]
    return [
        name,
        told(was),
        told(now),
        told([100 * m.bytes / total for m, total in zip(what, totals)], "{:.1f} %"),
        told([m.workspaces for m in what], "{:.0f}"),
        told([m.largest / 1e9 for m in what], "{:.1f} GB"),
    ]


HEADS = ["", "fullest before", "after", "bytes moved", "workspaces moved", "the largest of them"]


def hashed(worlds, place, before, after):
    """Of clusters that a formula gives, before and after some were added."""
    return [
        (world, place(world, before, seed), place(world, after, seed), before, after)
        for seed, world in enumerate(worlds)
    ]


def greedy(worlds, place, before, after, share, largest=float("inf")):
    """Moved greedily, no more than a share of all bytes."""
    cases = []
    for seed, world in enumerate(worlds):
        old = place(world, before, seed)
        most = int(share * sum(one.bytes for one in world))
        cases.append((world, old, greedily(world, old, after, most, largest), before, after))
    return cases


def rebalancing(worlds, clusters):
    """No cluster is added: a few are moved because some clusters are too full."""
    rows = [
        row(f"{name}, at most {share:.0%}", greedy(worlds, place, clusters, clusters, share))
        for name, place in PLACINGS.items()
        for share in (0.01, 0.05)
    ]
    return table(HEADS, rows)


def adding(worlds, before, after):
    """Clusters are added: by a formula, or greedily to what was put to the emptier of two."""
    new = (after - before) / after
    bounds = [(new / 2, float("inf")), (new + 0.01, float("inf")), (new + 0.01, SMALL)]
    rows = [
        row("hash modulo", hashed(worlds, by_hash, before, after)),
        row("rendezvous", hashed(worlds, by_rendezvous, before, after)),
    ]
    for share, largest in bounds:
        name = f"greedy, at most {share:.1%}"
        if largest == SMALL:
            name += f", none above {SMALL / 1e9:.0f} GB"
        cases = greedy(worlds, to_the_emptier_of_two, before, after, share, largest)
        rows.append(row(name, cases))
    return table(HEADS, rows)


def report(count, exponent, seeds):
    worlds = [workspaces(count, exponent, seed) for seed in range(seeds)]
    yield f"Exponent {exponent}, {seeds} seeds. {sizes(worlds)}."
    yield "## 8 clusters, as they fill"
    yield placing(worlds, 8)
    yield "## 8 clusters, rebalanced in the last month"
    yield rebalancing(worlds, 8)
    for after in (9, 16):
        yield f"## From 8 clusters to {after} in the last month"
        yield adding(worlds, 8, after)
