"""Groups of a live cluster for a command that otherwise reads files."""

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from evenkeel.data.commands.printing.terminal_text import printable
from evenkeel.data.document import Document
from evenkeel.data.errors import SnapshotError

if TYPE_CHECKING:
    from evenkeel.data.live.reading.documents import LiveGroup


def add_cluster(parser: argparse.ArgumentParser):
    """Declare the option that stands in place of files."""
    parser.add_argument(
        "--cluster",
        metavar="NAME",
        help="read a live cluster in place of files: one of the configuration, or an address where [live] free_form is true; "
        "only describe, list and offset calls are sent",
    )


def live_documents(cluster: str, wanted: Sequence[str], paths: Sequence[str]) -> list[Document]:
    """Return the group documents of the named groups of a cluster, or of all; raises as `named_groups` does."""
    return [one.document for one in named_groups(cluster, wanted, paths)]


def named_groups(cluster: str, wanted: Sequence[str], paths: Sequence[str]) -> "list[LiveGroup]":
    """Return the named groups of a cluster, or all, that have documents; what cannot be seen goes to standard error.

    Raises
    ------
    SnapshotError
        When files are named too, the cluster cannot be read, or a named group is not there.
    """
    if paths:
        raise SnapshotError(f"--cluster {cluster} and the file {paths[0]}, expected one of them")
    found, notes = read_live(cluster, wanted)
    for note in notes:
        print(printable(f"evenkeel: {note}"), file=sys.stderr)
    return found


def read_live(cluster: str, wanted: Sequence[str]) -> "tuple[list[LiveGroup], list[str]]":
    """Return the named groups of a cluster, or all, that have documents, and what cannot be seen; raises as `named_groups`."""
    from evenkeel.data.live.connection import connected
    from evenkeel.data.live.reading.documents import live_groups
    from evenkeel.data.live.reading.group_list import chosen_groups, left_out

    with connected(cluster) as connection:
        found = live_groups(connection, chosen_groups(connection, wanted))
        hidden = None if wanted else left_out(connection)
    notes = [*([hidden] if hidden else []), *(f"{one.group_id}: {problem}" for one in found for problem in one.problems)]
    lost = [one.group_id for one in found if one.document is None and one.group_id in wanted]
    if lost:
        raise SnapshotError("; ".join([f'cluster {cluster}: group "{lost[0]}" cannot be read', *notes]))
    return [one for one in found if one.document is not None], notes
