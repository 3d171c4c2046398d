"""Write the file of weights that the assignor `evenkeel-weighted` reads on brokers.

Evenkeel sends only describe, list and offset calls. The new file is written next to the old file
and then replaces it as a whole. The file may contain plans of `evenkeel best --plan-out`; a plan
stays while its group has the same members.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from evenkeel.data.best.readings import Readings
from evenkeel.data.commands.options.lake import whole_seconds
from evenkeel.data.commands.text import printable
from evenkeel.data.errors import SnapshotError
from evenkeel.data.extras import required
from evenkeel.data.weights import MAX_AGE_MS, OBJECTIVES, WeightsFile, fitting, read, write

if TYPE_CHECKING:
    from evenkeel.data.group.document import Document

EXAMPLES = """\
examples:
  evenkeel weights --cluster production --out /etc/kafka/evenkeel-weights.json
  evenkeel weights --cluster production --out /etc/kafka/evenkeel-weights.json --every 60s
  evenkeel weights --cluster production --group payments --objective drain --out weights.json

A rate needs two readings, so the first file takes ten seconds. Every broker needs the file, and the
jar that reads it: see docs/deploy-broker.md.
"""

_FIRST_SECONDS = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "--cluster",
        metavar="NAME",
        required=True,
        help="a cluster of the configuration or, if [live] free_form is true, an address",
    )
    parser.add_argument(
        "--out", metavar="FILE", type=Path, required=True, help="the file that brokers read"
    )
    parser.add_argument(
        "--every",
        metavar="TIME",
        type=whole_seconds,
        help="write the file again at this interval, until interrupted (default: once)",
    )
    parser.add_argument(
        "--objective",
        choices=OBJECTIVES,
        default="rate",
        help=(
            "weight of a partition: rate, records that arrive in a second (default); lag, records;"
            " or drain, lag plus the records that arrive in the time --within"
        ),
    )
    parser.add_argument(
        "--within",
        metavar="TIME",
        type=whole_seconds,
        default=600,
        help="for drain: the time in which the lag must be gone (default: 10m)",
    )
    parser.add_argument(
        "--group",
        metavar="G",
        nargs="+",
        action="extend",
        default=[],
        help="only topics of these groups (default: all)",
    )


@required("live")
def run(options: argparse.Namespace) -> int:
    """Write the file once, or repeatedly until interrupted.

    If the cluster does not answer a later reading, the previous file stays unchanged.
    """
    if options.every and options.every * 1000 > MAX_AGE_MS:
        raise SnapshotError(
            f"--every {options.every}s, expected at most {MAX_AGE_MS // 1000}s: brokers drop older"
            " weights by default"
        )
    readings, at = Readings(), time.monotonic()
    documents = _documents(options)
    as_of = readings.add(documents)
    if options.objective != "lag":
        time.sleep(min(options.every or _FIRST_SECONDS, _FIRST_SECONDS))
        documents = _documents(options)
        as_of = readings.add(documents)
    _write(options, readings, as_of, documents)
    while options.every:
        at += options.every
        time.sleep(max(at - time.monotonic(), 0))
        try:
            documents = _documents(options)
            _write(options, readings, readings.add(documents), documents)
        except SnapshotError as error:
            print(printable(f"evenkeel weights: {error}"), file=sys.stderr, flush=True)
    return 0


def _documents(options: argparse.Namespace) -> "list[Document]":
    """Read the groups over a new connection, because brokers may restart between two readings."""
    from evenkeel.data.live.connection import connected
    from evenkeel.data.live.reading.documents import live_groups
    from evenkeel.data.live.reading.group_list import chosen_groups

    with connected(options.cluster) as connection:
        live = live_groups(connection, chosen_groups(connection, options.group))
    return [group.document for group in live if group.document is not None]


def _write(
    options: argparse.Namespace, readings: Readings, as_of: int, documents: "Sequence[Document]"
) -> None:
    there = _there(options.out)
    file = WeightsFile(
        as_of,
        readings.weights(options.objective, options.within),
        plans=fitting(there.plans if there else [], documents),
    )
    write(options.out, file)
    known = sum(weight is not None for topic in file.topics for weight in topic.weights)
    plans = f", {len(file.plans)} plans" if file.plans else ""
    print(
        printable(
            f"{options.out}: weights of {known} partitions in {len(file.topics)} topics{plans}"
        ),
        flush=True,
    )


def _there(path: Path) -> WeightsFile | None:
    """Return the content of the file; None if brokers would refuse it."""
    try:
        return read(path)
    except SnapshotError as error:
        print(
            printable(f"evenkeel weights: {error}; the file is replaced"),
            file=sys.stderr,
            flush=True,
        )
        return None
