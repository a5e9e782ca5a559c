"""The figures as a table for people and as JSON for programs."""

import dataclasses

from figures import median, ratios, spread
from load import WORKS

HEADS = ("", "req/s", "p99 ms", "CPU µs/req", "PostgreSQL µs/req", "Lyceum ÷", "goal", "met")


def as_json(rounds, peers, absent, how):
    """Everything that was measured, round by round, and what it comes to."""
    works = {}
    for work in WORKS:
        measured = rounds.measured[work.name]
        works[work.name] = {
            peer.name: told(work, peer, measured, rounds.failures, absent) for peer in peers
        }
    return {**how, "versions": {peer.name: peer.version for peer in peers}, "works": works}


def told(work, peer, measured, failures, absent):
    """What one peer came to in one work, or why it came to nothing."""
    reason = absent.get(peer.name) or failures.get((work.name, peer.name))
    if reason:
        return {"not_measured": reason}
    theirs = measured[peer.name]
    return {
        "rate": dataclasses.asdict(spread(one.rate for one in theirs)),
        "p50_ms": median(theirs, "p50"),
        "p99_ms": median(theirs, "p99"),
        "cpu_us": median(theirs, "cpu"),
        "database_cpu_us": median(theirs, "database_cpu"),
        **against_ours(work, peer, measured, failures),
        "rounds": [dataclasses.asdict(one) for one in theirs],
    }


def against_ours(work, peer, measured, failures):
    """How many times theirs our rate is, where both are known."""
    if peer.name == "Lyceum" or "Lyceum" not in measured or (work.name, "Lyceum") in failures:
        return {}
    ratio = ratios(measured["Lyceum"], measured[peer.name])
    is_met = ratio.median >= work.goal
    return {"ratio": dataclasses.asdict(ratio), "goal": work.goal, "is_met": is_met}


def as_text(report):
    """A table per work, in Markdown."""
    tables = []
    for work in WORKS:
        rows = [row(name, cells) for name, cells in report["works"][work.name].items()]
        heads = (f"{work.title}, {work.connections} connections", *HEADS[1:])
        tables.append(table([heads, *rows]))
    versions = ", ".join(f"{name} {version}" for name, version in report["versions"].items())
    return "\n\n".join([*tables, versions])


def row(name, figures):
    if "not_measured" in figures:
        return (name, f"not measured: {figures['not_measured']}".replace("|", "/"), *[""] * 6)
    rate, ratio = figures["rate"], figures.get("ratio")
    database = figures["database_cpu_us"]
    return (
        name,
        f"{within(rate, 0)}",
        number(figures["p99_ms"], 1),
        number(figures["cpu_us"], 0),
        "–" if database is None else number(database, 0),
        within(ratio, 1) if ratio else "",
        f"≥ {figures['goal']}" if ratio else "",
        ("yes" if figures["is_met"] else "no") if ratio else "",
    )


def within(figures, digits):
    """A median and its extremes."""
    least, most = (number(figures[name], digits) for name in ("least", "most"))
    return f"{number(figures['median'], digits)} ({least}–{most})"


def number(value, digits):
    """With thousands apart, as the other tables have it."""
    return f"{value:,.{digits}f}".replace(",", " ")


def table(rows):
    """Rows of cells in Markdown, columns as wide as what is in them."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    # A reason stands in one cell of a row whose others are empty: no column need be as wide.
    widths[1] = max(len(row[1]) for row in rows if not row[1].startswith("not measured"))
    line = ["-" * width for width in widths]
    return "\n".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |"
        for row in [rows[0], line, *rows[1:]]
    )
