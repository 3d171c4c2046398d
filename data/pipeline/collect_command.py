"""Append snapshots of a live cluster to the lake, one snapshot in each time slot.

Collect sends only describe, list and offset requests. It also fetches records if the cluster has
`record_timestamps`. A slot without a snapshot is a gap with a reason: the cluster did not answer,
the collector did not run, or the lake refused the snapshot. Collect ends only if access to the lake
is denied or the bucket is missing. It also stores changes of verdicts of groups and members. Stop
it with Ctrl-C. After a restart it continues.
"""

import argparse
import signal
import sys
from functools import partial
from typing import TYPE_CHECKING

from evenkeel.data.commands.options.lake import add_lake, lake_of, whole_seconds
from evenkeel.data.commands.text import day_line, printable
from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.extras import required
from evenkeel.data.lake.manifest import Manifest

if TYPE_CHECKING:
    from evenkeel.data.lake.slots.tidy import TidyResult

EXAMPLES = """\
examples:
  evenkeel collect --cluster production --every 30s
  evenkeel collect --cluster production --every 5m --group payments --group refunds --out s3://bucket/lake
  evenkeel collect --cluster production --every 1m --count 60 --master spark://spark-1:7077

The dashboard lists the stored snapshots, latest first. `evenkeel tidy --help` explains how old
snapshots are stored, thinned and deleted.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "--cluster",
        metavar="NAME",
        required=True,
        help="a cluster of the configuration or, if [live] free_form is true, an address",
    )
    parser.add_argument(
        "--every",
        metavar="TIME",
        type=whole_seconds,
        default=30,
        help="length of a time slot: a number and s, m, h or d (default: 30s)",
    )
    parser.add_argument(
        "--group",
        metavar="G",
        nargs="+",
        action="extend",
        default=[],
        help="only these groups (default: all)",
    )
    add_lake(parser)
    parser.add_argument(
        "--master",
        metavar="URL",
        default="local[*]",
        help="where Spark runs: local[*] (default), spark://host:port",
    )
    parser.add_argument(
        "--count", metavar="N", type=int, help="stop after this number of snapshots"
    )


@required("live", "spark")
def run(options: argparse.Namespace) -> int:
    """Collect snapshots until Ctrl-C."""
    from evenkeel.data.alerts.push import tell
    from evenkeel.data.configuration.clusters import profile_of
    from evenkeel.data.pipeline.collect import collect, housekeeping
    from evenkeel.data.pipeline.session import QUICK, session, stopped_after

    profile_of(options.cluster)
    if not options.group and (note := _left_out(options.cluster)):
        _complain(note)
    lake = lake_of(options)
    progress, retention = _Progress(options.count), configuration().retention
    with (
        stopped_after(session(options.master, QUICK)) as spark,
        housekeeping(
            lake,
            options.cluster,
            retention,
            _report_tidied,
            _complain,
            partial(tell, lake, options.cluster),
        ),
    ):
        # Spark's own handler would cancel the running call.
        signal.signal(signal.SIGINT, lambda *_: progress.stop())
        print(
            f"cluster {options.cluster}: one snapshot every {options.every} s into {lake}",
            flush=True,
        )
        collect(
            spark,
            options.cluster,
            lake,
            options.every,
            options.group,
            progress.is_over,
            progress.report,
            _complain,
        )
    return 0


def _report_tidied(result: "TidyResult") -> None:
    if result.problem:
        _complain(day_line(result))
    else:
        print(printable(day_line(result)), flush=True)


def _complain(line: str) -> None:
    print(printable(f"evenkeel collect: {line}"), file=sys.stderr, flush=True)


def _left_out(cluster: str) -> str | None:
    """Return a note on groups that this user may not see. None if the user may see all groups, or
    if the cluster does not answer.
    """
    from evenkeel.data.live.connection import connected
    from evenkeel.data.live.reading.group_list import left_out

    try:
        with connected(cluster) as connection:
            return left_out(connection)
    except SnapshotError:
        return None


class _Progress:
    """Prints each snapshot and gap. Collecting ends after `count` snapshots, or after a call of
    `stop`.
    """

    def __init__(self, count: int | None):
        self._left, self._stopped = count, False

    def stop(self) -> None:
        self._stopped = True

    def is_over(self) -> bool:
        return self._stopped or self._left == 0

    def report(self, manifest: Manifest) -> None:
        print(printable(_line(manifest)), flush=True)
        if self._left and not manifest.gap:
            self._left -= 1


def _line(manifest: Manifest) -> str:
    began = f"{manifest.taken_at:%Y-%m-%d %H:%M:%S}"
    if manifest.gap:
        is_longer = manifest.gap_until != manifest.taken_at
        until = f" to {manifest.gap_until:%H:%M:%S}" if is_longer else ""
        return f"{began}{until} UTC  gap: {manifest.gap}"
    took = (manifest.ingested_at - manifest.taken_at).total_seconds()
    refused = (
        f", {manifest.counts.rejected:,} that cannot be read" if manifest.counts.rejected else ""
    )
    return f"{began} UTC  groups: {manifest.counts.rows:,}{refused}; stored after {took:.1f} s"
