"""Two uploads of one group become one history."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.assignors.group.speed import rates
from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake import run, store
from evenkeel.data.lake.import_folder import private_place
from evenkeel.data.lake.manifest import Manifest, SourceFile
from evenkeel.data.lake.place import place_of
from evenkeel.data.sources.inputs import read
from evenkeel.data.timeline.reading_times import (
    Times,
    UploadGroup,
    odd_offsets,
    with_later,
    with_times,
)
from tests.data.sources.corpus import CORPUS
from tests.generated.stored import read_history

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
HEADER = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
OLD_HEADER = "TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"


@pytest.fixture
def lake(tmp_path):
    return place_of(tmp_path)


def upload(lake, batch: str, text: str, minute: int = 0, name: str = "pasted text") -> str:
    one = Manifest(
        batch=batch,
        ingested_at=NOON + timedelta(minutes=minute),
        sources=(SourceFile(name, "", len(text)),),
    )
    with private_place(lake, batch) as home:
        run.store_parsed(read([(name, text.encode())]), one, home)
    return batch


def row(committed: int, end: int, group: str = "payments ", topic: str = "orders") -> str:
    return f"{group}{topic} 0 {committed} {end} {end - committed} a-1 /10.0.0.1 a\n"


def history(lake, group: UploadGroup):
    return read_history(store.home_of(lake, group.batch), group.group_id)


def both(lake, said=Times()) -> UploadGroup:
    upload(lake, "first", HEADER + row(100, 400))
    upload(lake, "second", HEADER + row(160, 430), minute=2)
    return with_later(lake, UploadGroup("first", "payments"), "second", said)


def test_listings_without_times_have_those_of_their_uploads_and_the_manifest_says_so(lake):
    found = both(lake)

    assert history(lake, found).series.end_offset.tolist() == [[400], [430]]
    assert history(lake, found).series.time.tolist() == [NOON.timestamp(), NOON.timestamp() + 120]
    assert store.batch(lake, found.batch).uploaded_at == (NOON, NOON + timedelta(minutes=2))


def test_a_time_that_a_person_says_counts_and_is_none_of_an_upload(lake):
    found = both(lake, Times(earlier=NOON - timedelta(minutes=3)))

    assert history(lake, found).series.time.tolist() == [
        NOON.timestamp() - 180,
        NOON.timestamp() + 120,
    ]
    assert store.batch(lake, found.batch).uploaded_at == (NOON + timedelta(minutes=2),)


def test_the_times_of_listings_count_before_those_of_uploads(lake):
    upload(lake, "first", "2026-11-23T08:00:00Z\n" + HEADER + row(100, 400))
    upload(lake, "second", "2026-11-23T08:05:00Z\n" + HEADER + row(160, 430))

    found = with_later(lake, UploadGroup("first", "payments"), "second")

    assert history(lake, found).batch == (
        f"{found.batch}@2026-11-23T08:00:00+00:00",
        f"{found.batch}@2026-11-23T08:05:00+00:00",
    )
    assert store.batch(lake, found.batch).uploaded_at == ()


def test_a_third_reading_goes_behind_two(lake):
    upload(lake, "third", HEADER + row(200, 470), minute=4)

    found = with_later(lake, both(lake), "third")

    assert history(lake, found).series.committed_offset.tolist() == [[100], [160], [200]]
    assert [one.name for one in store.batch(lake, found.batch).sources] == [
        "pasted text",
        "pasted text (2)",
        "pasted text (3)",
    ]


def test_the_counts_of_lines_are_those_of_all_readings(lake):
    found = store.batch(lake, both(lake).batch)

    assert (found.counts.lines, found.counts.rows, found.counts.notes) == (4, 2, 2)


def test_a_group_without_name_is_one_in_both(lake):
    upload(lake, "first", OLD_HEADER + row(100, 400, ""), name="a.txt")
    upload(lake, "second", OLD_HEADER + row(160, 430, ""), 2, "b.txt")

    found = with_later(lake, UploadGroup("first", None, "a.txt"), "second")

    assert (found.group_id, history(lake, found).series.committed_offset.tolist()) == (
        "a.txt",
        [[100], [160]],
    )


def test_a_listing_of_topics_that_was_read_once_holds_at_every_time(lake):
    upload(
        lake,
        "first",
        "Topic: orders\tPartitionCount: 3\tReplicationFactor: 1\tConfigs:\n"
        + HEADER
        + row(100, 400),
    )
    upload(lake, "second", HEADER + row(160, 430), minute=2)

    found = with_later(lake, UploadGroup("first", "payments"), "second")

    assert set(store.table(lake, found.batch, "TOPICS")["taken_at"].to_pylist()) == {None}


def test_another_group_is_refused(lake):
    upload(lake, "first", HEADER + row(100, 400))
    upload(lake, "second", HEADER + row(160, 430, "billing "), minute=2)

    with pytest.raises(SnapshotError, match="^The later listing shows billing, expected payments$"):
        with_later(lake, UploadGroup("first", "payments"), "second")


def test_other_topics_are_refused(lake):
    upload(lake, "first", HEADER + row(100, 400))
    upload(lake, "second", HEADER + row(160, 430, topic="refunds"), minute=2)

    with pytest.raises(
        SnapshotError,
        match=(
            "^The later listing of payments has no partition of the open listing: refunds,"
            " expected orders$"
        ),
    ):
        with_later(lake, UploadGroup("first", "payments"), "second")


def test_a_reading_that_is_not_later_is_refused_with_both_times(lake):
    with pytest.raises(
        SnapshotError,
        match="is of 2026-11-23 11:00:00 UTC, expected a time after 2026-11-23 12:00:00 UTC",
    ):
        both(lake, Times(later=NOON - timedelta(hours=1)))


def test_a_wrong_time_can_be_corrected_and_the_upload_before_stays(lake):
    found = both(lake)

    later = with_times(lake, found, {NOON: NOON - timedelta(minutes=1)})

    assert history(lake, later).series.time.tolist() == [
        NOON.timestamp() - 60,
        NOON.timestamp() + 120,
    ]
    assert history(lake, found).series.time.tolist() == [NOON.timestamp(), NOON.timestamp() + 120]
    assert store.batch(lake, later.batch).uploaded_at == (NOON + timedelta(minutes=2),)


def test_two_readings_of_one_time_are_refused(lake):
    with pytest.raises(
        SnapshotError, match="Two readings would have the time 2026-11-23 12:02:00 UTC"
    ):
        with_times(lake, both(lake), {NOON: NOON + timedelta(minutes=2)})


@pytest.mark.parametrize(
    ("committed", "end", "said"),
    [
        (120, 400, []),
        (
            90,
            400,
            ["Committed offsets fell: the group was reset (REWIND): orders-0."],
        ),
        (
            5,
            10,
            [
                "All end offsets are lower than in the previous reading: either the topics were"
                " created again, or the two times are swapped."
            ],
        ),
    ],
)
def test_offsets_that_fall_are_said(lake, committed, end, said):
    upload(lake, "first", HEADER + row(100, 400))
    upload(lake, "second", HEADER + row(committed, end), minute=2)

    assert (
        odd_offsets(
            history(lake, with_later(lake, UploadGroup("first", "payments"), "second")).series
        )
        == said
    )


@pytest.mark.parametrize("file", sorted(CORPUS.glob("offsets-*.txt")), ids=lambda file: file.stem)
def test_every_release_s_listing_read_twice_has_rates(lake, file):
    for batch, minute in (("first", 0), ("second", 2)):
        upload(lake, batch, file.read_text(), minute, file.name)
    shown = store.groups(lake, "first").to_pylist()[0]

    found = with_later(lake, UploadGroup("first", shown["group_id"], shown["unnamed_in"]), "second")

    series = history(lake, found).series
    known = (series.end_offset != UNKNOWN).all(axis=0)
    assert known.any()
    assert rates(series, np.array([1])).incoming[0, known].tolist() == [0.0] * int(known.sum())


def test_a_listing_without_offsets_is_refused(lake):
    upload(lake, "first", HEADER + row(100, 400))
    upload(
        lake,
        "second",
        "GROUP COORDINATOR (ID) ASSIGNMENT-STRATEGY STATE #MEMBERS\npayments b:9092  (2)  range "
        " Stable  6\n",
        minute=2,
    )

    with pytest.raises(
        SnapshotError,
        match=(
            "^The later listing of payments has no offsets, expected the offsets that --describe"
            " prints$"
        ),
    ):
        with_later(lake, UploadGroup("first", "payments"), "second")
