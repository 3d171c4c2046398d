"""Options of `evenkeel best`."""

import argparse
from pathlib import Path

from evenkeel.assignors.best.request import OBJECTIVES

TIME_LIMIT = 30.0


def add_request(parser: argparse.ArgumentParser) -> None:
    """Declare the options of a request."""
    parser.add_argument("--group", metavar="G", help="the group, if the files have several")
    parser.add_argument(
        "--objective",
        choices=OBJECTIVES,
        default="lag",
        help="minimize the highest lag, rate or drain time of any member (default: lag)",
    )
    parser.add_argument(
        "--moves", metavar="K", type=int, help="move at most K partitions (default: any number)"
    )
    parser.add_argument(
        "--partitions-per-member",
        metavar="N",
        type=int,
        help="give no member more than N partitions",
    )
    parser.add_argument(
        "--pin",
        metavar="TOPIC:NUMBER",
        nargs="+",
        action="extend",
        default=[],
        help="partitions that keep their owner",
    )
    parser.add_argument(
        "--untouched",
        metavar="MEMBER",
        nargs="+",
        action="extend",
        default=[],
        help="members that neither give nor get partitions",
    )
    parser.add_argument(
        "--racks",
        choices=("ignore", "require"),
        help="require: a partition goes to a member in the rack of a replica, if there is such a"
        " member",
    )
    parser.add_argument(
        "--rates",
        metavar="FILE",
        type=Path,
        help=(
            'JSON {"in": {TOPIC: [records/s, ...]}, "capacity": records/s} (default: from the lake)'
        ),
    )


def add_limits_of_search(parser: argparse.ArgumentParser) -> None:
    """Declare the options that limit the search, and the options that add results."""
    parser.add_argument(
        "--tolerance",
        metavar="PART",
        type=float,
        help="values up to this fraction above the bound count as equally good (default: 0.001)",
    )
    parser.add_argument(
        "--frontier", action="store_true", help="also the best value for each number of moves"
    )
    parser.add_argument(
        "--right-size",
        action="store_true",
        help="also the best value for 1, 2, 3 ... members that are all alike",
    )
    parser.add_argument(
        "--within",
        metavar="VALUE",
        type=float,
        help="also the number of members that the group needs to reach this value of the objective",
    )
    parser.add_argument(
        "--time-limit",
        metavar="SECONDS",
        type=float,
        help=f"end the search early (default: {TIME_LIMIT:.0f})",
    )
    parser.add_argument(
        "--why",
        metavar="TOPIC:NUMBER",
        help="also explain, step by step, why this partition goes to its owner",
    )


def add_output(parser: argparse.ArgumentParser) -> None:
    """Declare the options for the output."""
    parser.add_argument(
        "--json", action="store_true", help="write one answer as JSON in place of text"
    )
    parser.add_argument(
        "--plan-out",
        metavar="FILE",
        type=Path,
        help=(
            "also store the answer as a plan in FILE, which evenkeel-weighted reads on brokers;"
            " weights and other plans in FILE stay"
        ),
    )
    parser.add_argument(
        "--jsonl",
        action="store_true",
        help="read requests from standard input, one a line; write one answer for each",
    )
    parser.add_argument(
        "--check",
        metavar="FILE",
        type=Path,
        help="check whether the certificate in FILE (output of --json) holds for the group",
    )
