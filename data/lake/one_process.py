"""A batch that one process parses, stores and publishes, without Spark."""

from pathlib import Path

from data.errors import SnapshotError
from data.lake import manifest
from data.lake.loads import read_whole, write_loads
from data.lake.lock import running
from data.lake.manifest import Manifest
from data.lake.task_answers import with_counts, with_tables
from data.lake.writing import files_of, write
from data.tables.counts import counts_of
from data.tables.parsed import Parsed


def store(parsed: Parsed, one: Manifest, lake: Path) -> Manifest:
    """Write what was parsed from the only source of a manifest, with LAG and the loads, and publish it.

    Rows of OFFSETS must name their owners.

    Raises
    ------
    SnapshotError
        When the lake's folder cannot be written.
    """
    with running(lake, one.batch) as scratch:
        try:
            one = _with_files(one, parsed, lake, scratch)
            manifest.publish(lake, one)
        except OSError as error:
            raise SnapshotError(f"lake {lake}: {error.strerror or error}") from error
    return one


def _with_files(one: Manifest, parsed: Parsed, lake: Path, scratch: Path) -> Manifest:
    done = [write(parsed, {one.sources[0].name: counts_of(parsed)}, 0, lake, one.batch, scratch)]
    loads = write_loads(read_whole("SHARES", files_of(done, "SHARES"), lake), lake, one.batch)
    return with_tables(with_counts(one, done), done, {"LAG": files_of(done, "LAG")} | loads)
