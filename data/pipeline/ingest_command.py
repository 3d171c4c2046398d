"""Store files or folders in the lake, with Spark. Every line becomes a row, a note or a rejected
line, and is counted.

The lines of a file are counted but not stored if the lake already has a file with the same content.
A run that fails or is killed stores nothing.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from evenkeel.data import clock
from evenkeel.data.commands.options.columns import add_columns, context_of, not_used_line
from evenkeel.data.commands.options.files import STANDARD_INPUT
from evenkeel.data.commands.options.lake import add_ends, add_lake, lake_of
from evenkeel.data.commands.text import json_line, printable
from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.extras import required
from evenkeel.data.lake.history.instants import LENGTH
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import Place
from evenkeel.data.text.formats import counted

if TYPE_CHECKING:
    from evenkeel.data.group.tables.counts import Counts
    from evenkeel.data.pipeline.ingest.inputs import Input
    from evenkeel.data.pipeline.rebalances import Done

EXAMPLES = """\
examples:
  evenkeel ingest listings/ --taken-at 2026-11-20T08:00:00Z
  evenkeel ingest offsets.txt members.txt topics.txt --out /data/lake --json
  kafka-consumer-groups.sh --bootstrap-server broker:9092 --describe --all-groups |
    evenkeel ingest -
  evenkeel ingest s3://bucket/listings/ --out s3://bucket/lake --master spark://spark-1:7077
  evenkeel ingest export.csv --columns group_id="Consumer Grp" --out /data/lake
  evenkeel ingest server.log server.log.2026-11-23-* --cluster production --zone Europe/Berlin
  evenkeel ingest --prometheus production --from 2026-11-20 --to 2026-11-21

The last line of --json is {"lines":n,"rows":r,"notes":k,"rejected":j}, with n = r + k + j.
If Spark runs on other machines, local files are copied into the lake for the run.
"""

_SHOWN_REJECTED = 5
_LARGE_BYTES = 64 * 2**20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs="*",
        help="files, folders or URLs such as s3://bucket/listings/; - reads standard input",
    )
    parser.add_argument(
        "--prometheus",
        metavar="CLUSTER",
        help=(
            "instead of files: the history of all groups in the store of [clusters.CLUSTER.history]"
        ),
    )
    add_ends(parser, "with --prometheus: ")
    add_lake(parser)
    parser.add_argument(
        "--master",
        metavar="URL",
        default="local[*]",
        help="where Spark runs: local[*] (default), spark://host:port, sc://host:port",
    )
    parser.add_argument(
        "--taken-at",
        metavar="ISO",
        type=_instant,
        help="time of listings that have no time",
    )
    parser.add_argument("--cluster", metavar="NAME", help="cluster name of brokers' logs")
    add_columns(parser)
    parser.add_argument(
        "--json", action="store_true", help="print the counts in the last line, as JSON"
    )


@required("spark")
def run(options: argparse.Namespace) -> int:
    """Ingest the files, and print the counts of lines."""
    from evenkeel.data.pipeline.ingest import ingest
    from evenkeel.data.pipeline.rebalances import ingest_logs, is_log
    from evenkeel.data.pipeline.session import QUICK, session, stopped_after

    lake = lake_of(options)
    if options.prometheus or not options.paths:
        return _run_prometheus(options, lake)
    with ExitStack() as stack:
        inputs = _inputs(options, lake, configuration().storage, stack)
        logs = [file for file in inputs if is_log(file)]
        if logs:
            done = ingest_logs(
                logs, lake, partial(_session, options, logs, stack), options.cluster, options.zone
            )
            print(_log_line(done, lake))
            inputs = [file for file in inputs if file not in logs]
        if not inputs:
            if options.json:
                sys.stdout.write(json_line(_log_counts(done)))
            return 0
        size = sum(file.size for file in inputs)
        settings = QUICK if size < _LARGE_BYTES else {}
        manifest = ingest.ingest(
            inputs,
            lake,
            lambda: stack.enter_context(stopped_after(session(options.master, settings))),
            replace(context_of(options), taken_at=options.taken_at),
            stack.enter_context(_bar(size)),
        )
    _report(manifest, lake)
    if options.json:
        sys.stdout.write(
            json_line(manifest.counts if not logs else _both_counts(manifest.counts, done))
        )
    return 0


def _run_prometheus(options: argparse.Namespace, lake: Place) -> int:
    """Copy a range of a metrics store, and print the number of copied slots and rows."""
    from evenkeel.data.pipeline.past import copy_past
    from evenkeel.data.pipeline.session import QUICK, session, stopped_after
    from evenkeel.data.prometheus.copy import Range

    if options.paths or not options.prometheus:
        raise SnapshotError("expected one or more PATH, or --prometheus CLUSTER")
    until = options.until or clock.now()
    since = options.since or until - LENGTH
    if since > until:
        raise SnapshotError(f"--from {since.isoformat()} is after --to {until.isoformat()}")
    with stopped_after(session(options.master, QUICK)) as spark:
        done = copy_past(spark, lake, options.prometheus, Range(since, until))
    print(
        f"{counted(done.slots, 'slot')} of {options.prometheus} with {counted(done.rows, 'row')}"
        f" and {counted(done.gaps, 'gap')} stored in {lake}; {counted(done.rejected, 'sample')}"
        " rejected"
    )
    if options.json:
        names = ("slots", "rows", "gaps", "rejected")
        sys.stdout.write(json_line({name: getattr(done, name) for name in names}))
    return 0


def _session(options: argparse.Namespace, logs: "list[Input]", stack: ExitStack) -> Any:
    from evenkeel.data.pipeline.session import QUICK, session, stopped_after

    settings = QUICK if sum(file.size for file in logs) < _LARGE_BYTES else {}
    return stack.enter_context(stopped_after(session(options.master, settings)))


def _log_line(done: "Done", lake: Place) -> str:
    foreign = done.lines - done.used - done.undated - done.cut
    head = (
        f"{counted(done.lines, 'line')} of brokers' logs: {done.used:,} used, {foreign:,} foreign,"
        f" {done.undated:,} without a time"
    )
    return (
        f"{head}, {done.cut:,} cut off; {counted(done.rebalances, 'rebalance')}, {done.new:,} new"
        f" in {lake}"
    )


def _log_counts(done: "Done") -> dict[str, int]:
    """Return the counts of a log's lines. A used message is a row, an unusable message is a
    rejected line, and any other line is a note.
    """
    rejected = done.undated + done.cut
    return {
        "lines": done.lines,
        "rows": done.used,
        "notes": done.lines - done.used - rejected,
        "rejected": rejected,
    }


def _both_counts(counts: "Counts", done: "Done") -> dict[str, int]:
    return {name: number + getattr(counts, name) for name, number in _log_counts(done).items()}


def _instant(text: str) -> datetime:
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no time, expected for example 2026-11-20T08:00:00Z"
        ) from None
    if instant.tzinfo is None:
        raise argparse.ArgumentTypeError(
            f"{text!r} has no time zone, expected for example 2026-11-20T08:00:00Z"
        )
    try:
        return instant.astimezone(UTC)
    except OverflowError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no instant of the years 1 to 9999 in UTC"
        ) from None


def _inputs(
    options: argparse.Namespace, lake: Place, storage: Mapping[str, str], stack: ExitStack
) -> "list[Input]":
    from evenkeel.data.pipeline.ingest.inputs import (
        beside,
        inputs_of,
        is_on_this_machine,
        stored_stream,
    )

    named = [path for path in options.paths if path != STANDARD_INPUT]
    inputs = inputs_of(named, storage) if named else []
    here = sum(map(is_on_this_machine, inputs))
    if here and _is_remote(options.master):
        inputs = stack.enter_context(beside(lake, inputs))
        print(
            f"evenkeel ingest: copied {counted(here, 'file')} to {lake} for Spark on"
            f" {options.master}",
            file=sys.stderr,
        )
    if STANDARD_INPUT in options.paths:
        inputs.insert(0, stack.enter_context(stored_stream(lake, STANDARD_INPUT, sys.stdin.buffer)))
    return inputs


def _is_remote(master: str) -> bool:
    return "://" in master or master == "yarn"


@contextmanager
def _bar(size: int) -> Iterator[Callable[[float], None]]:
    """Show a progress bar if standard error is a terminal. Yield a function that sets the finished
    share.
    """
    from tqdm import tqdm

    # disable=None: no bar if standard error is not a terminal.
    with tqdm(total=size, unit="B", unit_scale=True, disable=None, leave=False) as bar:
        yield lambda share: bar.update(round(share * size) - bar.n)


def _report(manifest: Manifest, lake: Place) -> None:
    from evenkeel.data.lake import store

    for source in manifest.sources:
        if source.refused:
            print(f"evenkeel ingest: {printable(source.refused)}", file=sys.stderr)
    for line in store.stored(lake).broken:
        print(f"evenkeel ingest: left out: {printable(line)}", file=sys.stderr)
    counts = manifest.counts
    print(
        f"{counted(counts.lines, 'line')}: {counted(counts.rows, 'row')},"
        f" {counted(counts.notes, 'note')}, {counts.rejected:,} rejected"
    )
    if not manifest.tables:
        print(f"nothing new: {lake} has every file already")
        return
    headers = store.columns_not_used(lake, manifest.batch)
    if headers:
        more = f" (and of {counted(len(headers) - 1, 'more table')})" if len(headers) > 1 else ""
        print(f"evenkeel ingest: {not_used_line(*headers[0])}{more}", file=sys.stderr)
    for line in store.table(lake, manifest.batch, "REJECTED").slice(0, _SHOWN_REJECTED).to_pylist():
        print(printable(f"rejected: {line['source_file']}:{line['source_line']}: {line['reason']}"))
    for name in manifest.formats:
        print(f"recognised: {name}")
    print(f"stored as batch {manifest.batch} in {lake}")
