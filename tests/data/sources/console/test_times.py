"""Times between listings: every row has that of the last line above it that says one."""

from datetime import UTC, datetime, timedelta

import pytest

from evenkeel.data.pipeline.ingest.parts import FilePart, parsed_together
from evenkeel.data.sources.console import listing
from evenkeel.data.sources.console.listing import Range
from evenkeel.data.sources.console.times import time_of
from evenkeel.data.sources.source import START, Context

AT = datetime(2026, 11, 23, 4, 13, 24, tzinfo=UTC)
HEADER = "GROUP    TOPIC  PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"
ROW = "payments orders 0 5 7 2 c-1 /10.0.0.1 c"


@pytest.mark.parametrize(
    "line",
    [
        "Mon Nov 23 04:13:24 UTC 2026",
        "Mon 23 Nov 2026 04:13:24 AM UTC",
        "Mon Nov 23 04:13:24 AM UTC 2026",
        "Mon, 23 Nov 2026 05:13:24 +0100",
        "2026-11-23T04:13:24Z",
        "2026-11-23 04:13:24.123456+00:00",
        "2026-11-22T23:13:24-05:00",
        "=== 2026-11-23T04:13:24Z ===",
        "# Mon Nov 23 04:13:24 UTC 2026",
        "1795407204",
    ],
)
def test_what_date_prints_is_a_time(line):
    assert time_of(line.encode()) == (AT, None)


@pytest.mark.parametrize(
    ("line", "zone"),
    [
        ("Mon Nov 23 04:13:24 2026", ""),
        ("2026-11-23 04:13:24", ""),
        ("Mon Nov 23 04:13:24 CET 2026", "CET"),
        (
            (
                "Every 2.0s: kafka-consumer-groups.sh --bootstrap-server b:9092 --describe      "
                " host-1: Mon Nov 23 04:13:24 2026"
            ),
            "",
        ),
    ],
)
def test_a_time_of_no_known_zone_is_taken_as_utc_and_says_so(line, zone):
    assert time_of(line.encode()) == (AT, zone)
    assert (
        time_of(line.encode()).note
        == f"time of the listings below it: 2026-11-23 04:13:24 UTC; {zone or 'no zone'} is taken"
        " as UTC"
    )


@pytest.mark.parametrize(
    "line",
    [
        "[2026-11-23 04:13:24,123] WARN no",
        "12:13:14",
        "2026-13-23T04:13:24Z",
        "Mon Nov 23 04:13:24 UTC",
        "orders 2026-11-23 04:13:24",
    ],
)
def test_a_line_that_says_more_than_a_whole_time_is_none(line):
    assert time_of(line.encode()) is None


def parsed(*lines, context=START):
    return listing.parse("\n".join(lines).encode(), "log.txt", context)


def times(table):
    return table["taken_at"].to_pylist()


def test_each_listing_of_a_log_has_the_time_above_it():
    found = parsed(
        "Mon Nov 23 04:13:24 UTC 2026",
        "",
        HEADER,
        ROW,
        ROW,
        "",
        "Mon Nov 23 04:15:24 UTC 2026",
        "",
        HEADER,
        ROW,
    )

    assert times(found.offsets) == [AT, AT, AT + timedelta(minutes=2)]
    assert [row["reason"] for row in found.notes.to_pylist() if row["source_line"] in (1, 7)] == [
        "time of the listings below it: 2026-11-23 04:13:24 UTC",
        "time of the listings below it: 2026-11-23 04:15:24 UTC",
    ]
    assert found.rejected.num_rows == 0


def test_members_and_states_have_the_time_above_them():
    found = parsed(
        "2026-11-23T04:13:24Z",
        "GROUP COORDINATOR (ID) ASSIGNMENT-STRATEGY STATE #MEMBERS",
        "payments b:9092  (2)  range  Stable  6",
    )

    assert times(found.members) == [AT]


def test_rows_above_the_first_time_have_that_of_the_caller_or_none():
    lines = (HEADER, ROW, "2026-11-23T04:13:24Z", HEADER, ROW)

    assert times(parsed(*lines).offsets) == [None, AT]
    assert times(parsed(*lines, context=Context(taken_at=AT.replace(hour=1))).offsets) == [
        AT.replace(hour=1),
        AT,
    ]


def test_a_time_in_one_small_file_says_nothing_of_the_next(tmp_path):
    texts = [
        f"{HEADER}\n{ROW}\n2026-11-23T04:13:24Z\n{ROW}\n".encode(),
        f"{HEADER}\n{ROW}\n".encode(),
    ]
    files = [
        (FilePart(name, None, name, Range(0, len(text), START), listing.NAME, False), text)
        for name, text in zip("ab", texts, strict=False)
    ]

    found, counts = parsed_together(files)

    assert list(
        zip(found.offsets["source_file"].to_pylist(), times(found.offsets), strict=False)
    ) == [
        ("a", None),
        ("a", AT),
        ("b", None),
    ]
    assert counts == {"a": 4, "b": 2}
