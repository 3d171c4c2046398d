"""Join the snapshots of `evenkeel collect` by hour and by day. Later thin them to one for each 10
minutes, then delete them.

The snapshots of an hour are joined ten minutes after the end of the hour. The ages for the other
steps are settings of `[lake]` in evenkeel.toml.

`evenkeel collect` also does this once an hour. Ingested and uploaded data is not changed. Pages and
commands can read the lake at the same time.
"""

import argparse
import sys
from typing import TYPE_CHECKING

from evenkeel.data.commands.options.lake import add_lake, lake_of
from evenkeel.data.commands.text import day_line, printable
from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.text.formats import counted

if TYPE_CHECKING:
    from evenkeel.data.lake.slots.tidy import TidyResult

EXAMPLES = """\
examples:
  evenkeel tidy
  evenkeel tidy --out s3://bucket/lake

[lake] of evenkeel.toml, with the defaults:
  compact_after = "1d"     # time from the end of a day until its snapshots are joined
  keep_slots = "7d"        # then only one snapshot for each 10 minutes is kept
  keep_thinned = "90d"     # then these snapshots are deleted
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_lake(parser)


def run(options: argparse.Namespace) -> int:
    """Tidy once."""
    from evenkeel.data.lake import lease
    from evenkeel.data.lake.history.change_store import tidy_changes
    from evenkeel.data.lake.lease import HeldError
    from evenkeel.data.lake.slots.tidy import tidy
    from evenkeel.data.lake.store import batches

    lake, done = lake_of(options), _Done()
    if not batches(lake):
        raise SnapshotError(
            f"{lake} is no lake: evenkeel collect and evenkeel ingest have stored nothing in it"
        )
    try:
        deleted = tidy(lake, configuration().retention, done.report)
        tidy_changes(lake, lease.now(lake), configuration().retention.keep_changes)
    except HeldError:
        raise SnapshotError(f"another process tidies {lake}; try again when it is done") from None
    if deleted:
        print(f"{counted(deleted, 'file')} deleted: no batch needs them")
    elif not done.has_reported:
        print(f"nothing to do in {lake}")
    return 0


class _Done:
    """Prints each tidied day."""

    has_reported = False

    def report(self, result: "TidyResult") -> None:
        self.has_reported = True
        print(
            printable(day_line(result)),
            file=sys.stderr if result.problem else sys.stdout,
            flush=True,
        )
