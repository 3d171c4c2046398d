"""Run files or folders through the Spark pipeline into the lake: every line becomes a row, a note or a rejected line, and is counted.

A file that is already in the lake (same content) is counted and not stored again.
Of a run that fails or is killed, nothing shows in the lake.
"""

import argparse
import secrets
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from data.commands.options.columns import add_columns, not_used_line
from data.commands.printing.terminal_text import json_line, printable
from data.configuration import configuration
from data.lake.manifest import Manifest
from data.words.lists import counted

EXAMPLES = """\
examples:
  evenkeel ingest listings/ --taken-at 2026-11-20T08:00:00Z
  evenkeel ingest offsets.txt members.txt topics.txt --out /data/lake --json
  kafka-consumer-groups.sh --bootstrap-server broker:9092 --describe --all-groups | evenkeel ingest -
  evenkeel ingest /shared/listings --out /shared/lake --master spark://spark-1:7077
  evenkeel ingest export.csv --columns group_id="Consumer Grp" --out /data/lake

With --json the last line on standard output is {"lines":n,"rows":r,"notes":k,"rejected":j}, n = r + k + j.
On a cluster, files and lake lie in folders that all machines see.
"""

_SHOWN_REJECTED = 5
_LARGE_BYTES = 64 * 2**20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("paths", metavar="PATH", nargs="+", help="files or folders; - reads standard input")
    parser.add_argument("--out", metavar="LAKE", type=Path, help="folder of the lake (default: [lake] path of evenkeel.toml)")
    parser.add_argument(
        "--master", metavar="URL", default="local[*]", help="where Spark runs: local[*] (default), spark://host:port, sc://host:port"
    )
    parser.add_argument("--taken-at", metavar="ISO", type=_instant, help="time of the listings, which do not contain it")
    add_columns(parser)
    parser.add_argument("--json", action="store_true", help="end with the counts as one line of JSON")


def run(options: argparse.Namespace) -> int:
    """Ingest, and say what became of the lines."""
    from data.commands.options.files import STANDARD_INPUT
    from data.pipeline.ingest import ingest
    from data.pipeline.spark.session import QUICK, session
    from data.sources.inputs import Input, inputs_of
    from data.sources.parsing.context import Context

    lake = (options.out or configuration().lake).expanduser().absolute()
    with ExitStack() as stack:
        typed = [Input(STANDARD_INPUT, stack.enter_context(_spooled(lake)))] if STANDARD_INPUT in options.paths else []
        named = [path for path in options.paths if path != STANDARD_INPUT]
        inputs = [*typed, *(inputs_of(named) if named else ())]
        size = sum(one.path.stat().st_size for one in inputs)
        settings = QUICK if size < _LARGE_BYTES else {}
        one = ingest.ingest(
            inputs,
            lake,
            lambda: stack.enter_context(session(options.master, settings)),
            Context(taken_at=options.taken_at, named_columns=options.columns, numbers=options.numbers),
            stack.enter_context(_bar(size)),
        )
    _report(one, lake)
    if options.json:
        sys.stdout.write(json_line(one.counts))
    return 0


def _instant(text: str) -> datetime:
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no time, expected for example 2026-11-20T08:00:00Z") from None
    if instant.tzinfo is None:
        raise argparse.ArgumentTypeError(f"{text!r} has no time zone, expected for example 2026-11-20T08:00:00Z")
    try:
        return instant.astimezone(UTC)
    except OverflowError:
        raise argparse.ArgumentTypeError(f"{text!r} is no instant of the years 1 to 9999 in UTC") from None


@contextmanager
def _spooled(lake: Path) -> Iterator[Path]:
    """Keep standard input in a file of the lake while this is open: it is read more than once, and on other machines."""
    from data.commands.options.files import STANDARD_INPUT
    from data.lake.lock import running
    from data.pipeline.spark.faults import named_errors

    with running(lake, f"stdin-{secrets.token_hex(4)}") as folder:
        path = folder / "stdin"
        with named_errors([STANDARD_INPUT], lake), path.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        yield path


@contextmanager
def _bar(size: int) -> Iterator[Callable[[float], None]]:
    """Show a progress bar where a person looks, and yield what moves it."""
    from tqdm import tqdm

    # disable=None: tqdm draws no bar where standard error is no terminal.
    with tqdm(total=size, unit="B", unit_scale=True, disable=None, leave=False) as bar:
        yield lambda share: bar.update(round(share * size) - bar.n)


def _report(one: Manifest, lake: Path) -> None:
    from data.lake import store

    for source in one.sources:
        if source.refused:
            print(f"evenkeel ingest: {printable(source.refused)}", file=sys.stderr)
    for line in store.broken(lake):
        print(f"evenkeel ingest: left out: {printable(line)}", file=sys.stderr)
    counts = one.counts
    print(f"{counted(counts.lines, 'line')}: {counted(counts.rows, 'row')}, {counted(counts.notes, 'note')}, {counts.rejected:,} rejected")
    if not one.tables:
        print(f"nothing new: {lake} has every file already")
        return
    headers = store.columns_not_used(lake, one.batch)
    if headers:
        more = f" (and of {counted(len(headers) - 1, 'table')} more)" if len(headers) > 1 else ""
        print(f"evenkeel ingest: {not_used_line(*headers[0])}{more}", file=sys.stderr)
    for line in store.table(lake, one.batch, "REJECTED").slice(0, _SHOWN_REJECTED).to_pylist():
        print(printable(f"rejected: {line['source_file']}:{line['source_line']}: {line['reason']}"))
    for name in one.formats:
        print(f"recognised: {name}")
    print(f"stored as batch {one.batch} in {lake}")
