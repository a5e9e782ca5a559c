"""How workspaces spread over clusters, and what moves when clusters are added; docs/sharding.md says what follows.

    python3 bench/placement [--workspaces N] [--exponent S] [--seeds N]
"""

import argparse

from tables import report


def arguments():
    parser = argparse.ArgumentParser(prog="placement", description="Workspaces over clusters.")
    parser.add_argument("--workspaces", type=int, default=100_000, help="how many there are")
    parser.add_argument("--exponent", type=float, default=0.8, help="how skewed their sizes are")
    parser.add_argument("--seeds", type=int, default=5, help="how often it is drawn")
    return parser.parse_args()


if __name__ == "__main__":
    asked = arguments()
    for part in report(asked.workspaces, asked.exponent, asked.seeds):
        print(part, end="\n\n", flush=True)
