"""A batch that one process parses, stores and publishes, without Spark."""

from evenkeel.data.lake import manifest
from evenkeel.data.lake.loads import results_of
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.runs.run import running
from evenkeel.data.lake.task_answers import with_counts, with_tables
from evenkeel.data.lake.writing import write
from evenkeel.data.tables.counts import counts_of
from evenkeel.data.tables.parsed import Parsed


def store(parsed: Parsed, one: Manifest, lake: Place) -> Manifest:
    """Write what was parsed from the only source of a manifest, with LAG and the loads, and publish it.

    Raises
    ------
    SnapshotError
        When the lake cannot be written.
    """
    with running(lake, one.batch):
        one = _with_files(one, parsed, lake)
        manifest.publish(lake, one)
    return one


def _with_files(one: Manifest, parsed: Parsed, lake: Place) -> Manifest:
    done = [write(parsed, {one.sources[0].name: counts_of(parsed)}, 0, lake, one.batch)]
    return with_tables(with_counts(one, done), done, results_of(lake, one.batch, done))
