"""What one process reads, settles and stores by itself is what Spark's tasks do: tables, counts,
notes, rejections, hashes, manifests.
"""

import tempfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as some

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.tables import schemas
from evenkeel.data.lake import store
from evenkeel.data.lake.place import place_of
from evenkeel.data.pipeline.ingest import parts
from evenkeel.data.pipeline.ingest.batch import stored_here
from evenkeel.data.pipeline.ingest.ingest import ingest
from evenkeel.data.pipeline.ingest.inputs import inputs_of
from evenkeel.data.sources.source import Context
from tests.data.lake.test_one_process import DOCUMENT
from tests.data.pipeline.ingest import test_passes as listings

CSV = b"topic;partition;lag;offset\nt;0;1,000;7\nt;x;5;9\nt;0;1,000;7\nt;0;2,000;7\n"
MEMBERS_TELL_OWNERS = b"""GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID
g t 0 4 9 5 - - -
g t 1 5 9 4 - - -
GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS ASSIGNMENT
g a /10.0.0.1 c 1 t(1)
"""  # noqa: E501
UTF_16 = "GROUP TOPIC".encode("utf-16")
broken = some.sampled_from(
    [b"", b"\x89PNG\r\n\x1a\n", UTF_16, b"\xff\xfe\x00", CSV, DOCUMENT.encode(), b'{"format": 1}']
)
contents = some.one_of(listings.texts, listings.texts, broken, some.binary(max_size=40))
files = some.lists(contents, min_size=1, max_size=4).map(
    lambda found: {f"{place}.txt": data for place, data in enumerate(found)}
)
contexts = some.builds(Context, group_id=some.sampled_from([None, "named"]))


@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(files, contexts, some.sampled_from([80, 300, 10**6]))
@example(
    {"0.txt": MEMBERS_TELL_OWNERS, "1.txt": MEMBERS_TELL_OWNERS, "cat.png": b"\x89PNG\r\n\x1a\n"},
    Context(),
    10**6,
)
@example(
    {"0.txt": CSV, "1.txt": DOCUMENT.encode(), "2.txt": MEMBERS_TELL_OWNERS},
    Context(group_id="named"),
    80,
)
def test_random_broken_and_repeated_listings_are_stored_alike_by_both_ways(
    spark, files, context, task_bytes
):
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "TASK_BYTES", task_bytes)
        home = place_of(folder)
        for name, data in files.items():
            home.write(name, data)
        inputs = inputs_of([Path(folder, name) for name in files])

        here = stored_by(lambda lake: stored_here(inputs, lake, context), home / "here")

        assert here == stored_by(
            lambda lake: ingest(inputs, lake, lambda: spark, context), home / "spark"
        )


def test_a_file_that_the_lake_has_is_counted_and_not_stored_again(tmp_path):
    (tmp_path / "a.txt").write_bytes(MEMBERS_TELL_OWNERS)
    lake, inputs = place_of(tmp_path / "lake"), inputs_of([tmp_path / "a.txt"])

    first, second = stored_here(inputs, lake), stored_here(inputs, lake)

    assert (second.counts, second.tables) == (first.counts, {})
    assert store.batches(lake) == [first]


def stored_by(way, lake):
    """Store, and return the manifest without names and time of the batch, and every table; or why
    nothing was stored.
    """
    try:
        one = way(lake)
    except SnapshotError as error:
        assert not [found.key for found in lake.found() if found.key.endswith(".parquet")]
        return str(error).replace(lake.url, "lake")
    tables = {name: store.table(lake, one.batch, name).to_pylist() for name in schemas.STORED}
    files = {name: len(files) for name, files in one.tables.items()}
    # Spark brings lines of several tasks together in any order.
    in_order = (
        tables
        if one.is_in_order
        else {name: sorted(rows, key=str) for name, rows in tables.items()}
    )
    return (
        msgspec.to_builtins(msgspec.structs.replace(one, batch="", ingested_at=None, tables={})),
        files,
        in_order,
    )
