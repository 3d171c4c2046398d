"""Samples of a store as slots: scrapes, gaps, lags, and what is no source."""

import numpy as np
import pytest

from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.data.errors import SnapshotError
from evenkeel.data.prometheus.exporter import chosen_exporter
from evenkeel.data.prometheus.exporters import (
    EXPORTERS,
    kafka_exporter,
    kafka_lag_exporter,
    klag,
    kminion,
)
from evenkeel.data.prometheus.slots import Samples, slots_of

KAFKA = kafka_exporter.EXPORTER
MINUTE = 60_000


def samples(name, times, values, **labels):
    named = {"__name__": name, "topic": "t", "partition": "0"} | labels
    return Samples(named, np.array(times, np.int64), np.array(values, np.int64))


def of_group(name, times, values, **labels):
    return samples(name, times, values, consumergroup="g", **labels)


def rows(slots) -> list[tuple]:
    columns = slots.begin, slots.committed, slots.end, slots.listed
    return [
        (int(slots.time[slot]), slots.keys[key], *(int(column[row]) for column in columns))
        for row, (slot, key) in enumerate(zip(slots.slot, slots.key, strict=True))
    ]


def test_a_scrape_is_a_slot_with_the_offsets_of_its_own_millisecond():
    found = slots_of(
        [
            of_group(KAFKA.commit, [100, 60_100, 120_100], [5, 6, 7]),
            samples(KAFKA.end, [100, 60_100, 120_100], [9, 9, 12]),
            samples(KAFKA.begin, [100, 60_100, 120_100], [0, 0, 8]),
        ],
        KAFKA,
    )

    assert found.interval == 60
    assert rows(found) == [
        (100, ("g", "t", 0), 0, 5, 9, UNKNOWN),
        (60_100, ("g", "t", 0), 0, 6, 9, UNKNOWN),
        (120_100, ("g", "t", 0), 8, 7, 12, UNKNOWN),
    ]


def test_the_lag_of_the_exporter_counts_only_without_an_end_offset():
    times = [0, MINUTE]
    found = slots_of(
        [
            of_group(KAFKA.commit, times, [5, 6]),
            samples(KAFKA.end, times[:1], [9]),
            of_group(KAFKA.lag, times, [7, 7]),
        ],
        KAFKA,
    )

    assert [row[3:] for row in rows(found)] == [(5, 9, UNKNOWN), (6, UNKNOWN, 7)]


def test_a_series_that_ends_is_absent_and_not_0():
    found = slots_of(
        [
            of_group(KAFKA.commit, [0, MINUTE, 2 * MINUTE], [5, 5, 5]),
            of_group(KAFKA.commit, [0], [3], partition="1"),
        ],
        KAFKA,
    )

    assert [(row[0], row[1][2]) for row in rows(found)] == [
        (0, 0),
        (0, 1),
        (MINUTE, 0),
        (2 * MINUTE, 0),
    ]


def test_minus_1_is_a_partition_without_a_commit():
    found = slots_of(
        [
            of_group(KAFKA.commit, [0], [UNKNOWN]),
            samples(KAFKA.end, [0], [9]),
            of_group(KAFKA.lag, [0], [UNKNOWN]),
        ],
        KAFKA,
    )

    assert rows(found) == [(0, ("g", "t", 0), UNKNOWN, UNKNOWN, 9, UNKNOWN)]


def test_targets_that_are_scraped_at_other_moments_share_the_nearest_slot():
    found = slots_of(
        [
            of_group(KAFKA.commit, [0, MINUTE, 2 * MINUTE], [5, 6, 7], instance="a"),
            of_group(KAFKA.commit, [20_000, 80_000], [1, 2], instance="b", partition="1"),
        ],
        KAFKA,
    )

    assert found.time.tolist() == [0, MINUTE, 2 * MINUTE]
    assert [(row[0], row[1][2], row[3]) for row in rows(found)] == [
        (0, 0, 5),
        (0, 1, 1),
        (MINUTE, 0, 6),
        (MINUTE, 1, 2),
        (2 * MINUTE, 0, 7),
    ]


def test_commits_that_an_exporter_has_not_are_end_minus_lag():
    exporter = kminion.EXPORTER
    labels = {"topic_name": "t", "partition_id": "0"}
    found = slots_of(
        [
            samples(exporter.end, [0], [90], **labels),
            samples(exporter.lag, [0], [20], group_id="g", **labels),
        ],
        exporter,
    )

    assert rows(found) == [(0, ("g", "t", 0), UNKNOWN, 70, 90, UNKNOWN)]
    assert exporter.derived({exporter.end, exporter.lag}) == ("commit",)


def test_ends_that_a_store_has_not_are_commit_plus_lag():
    found = slots_of(
        [of_group(KAFKA.commit, [0], [70]), of_group(KAFKA.lag, [0], [20])],
        KAFKA,
    )

    assert rows(found) == [(0, ("g", "t", 0), UNKNOWN, 70, 90, UNKNOWN)]
    assert KAFKA.derived({KAFKA.commit, KAFKA.lag}) == ("end",)


def test_two_clusters_under_one_name_are_refused_with_the_labels_that_differ():
    times = [0, MINUTE, 2 * MINUTE]
    series = [
        of_group(KAFKA.commit, times, [5, 6, 7], cluster="east"),
        of_group(KAFKA.commit, times, [50, 60, 70], cluster="west"),
    ]

    with pytest.raises(SnapshotError, match=r"these labels differ: cluster \('east' and 'west'\)"):
        slots_of(series, KAFKA)


def test_an_exporter_that_moves_is_scraped_beside_its_successor_for_a_moment():
    found = slots_of(
        [
            of_group(KAFKA.commit, [0, MINUTE], [5, 6], instance="a"),
            of_group(KAFKA.commit, [MINUTE + 500, 2 * MINUTE], [7, 8], instance="b"),
        ],
        KAFKA,
    )

    assert [row[3] for row in rows(found)] == [5, 6, 8]


def test_of_two_replicas_commits_and_ends_are_read_from_one_and_the_other_fills_its_gaps():
    times = [MINUTE * number for number in range(6)]
    other = [at + 20_000 for at in times]
    found = slots_of(
        [
            of_group(KAFKA.commit, other[:5], [12, 22, 32, 42, 52], replica="b"),
            samples(KAFKA.end, other[:5], [15, 25, 35, 45, 55], replica="b"),
            of_group(KAFKA.commit, [*times[:2], *times[3:]], [10, 20, 40, 50, 60], replica="a"),
            samples(KAFKA.end, [*times[:2], *times[3:]], [11, 21, 41, 51, 61], replica="a"),
        ],
        KAFKA,
    )

    pairs = [(row[0] // MINUTE, row[3], row[4]) for row in rows(found)]
    # Both have five scrapes: b is the first of them.
    assert pairs == [(0, 12, 15), (1, 22, 25), (2, 32, 35), (3, 42, 45), (4, 52, 55), (5, 60, 61)]
    assert found.interval == 60


def test_a_series_that_comes_twice_counts_once_unless_its_values_differ():
    once = of_group(KAFKA.commit, [0, MINUTE], [5, 6])

    assert [row[3] for row in rows(slots_of([once, once], KAFKA))] == [5, 6]
    with pytest.raises(SnapshotError, match="these labels differ: none"):
        slots_of([once, of_group(KAFKA.commit, [0, MINUTE], [5, 7])], KAFKA)


def test_two_clusters_that_one_target_shows_at_other_times_are_refused():
    times = [MINUTE * number for number in range(4)]
    series = [
        of_group(KAFKA.commit, times, [5, 6, 7, 8], job="k", instance="e:1", env="a"),
        of_group(
            KAFKA.commit, [at + 9 for at in times], [90] * 4, job="k", instance="e:1", env="b"
        ),
    ]

    with pytest.raises(SnapshotError, match=r"these labels differ: env \('a' and 'b'\)"):
        slots_of(series, KAFKA)


def test_replicas_by_name_that_follow_different_offsets_are_two_clusters():
    times = [MINUTE * number for number in range(4)]
    series = [
        of_group(KAFKA.commit, times, [5, 6, 7, 8], instance="a"),
        of_group(KAFKA.commit, [at + 9 for at in times], [90, 91, 92, 93], instance="b"),
    ]

    with pytest.raises(SnapshotError, match="these labels differ: instance"):
        slots_of(series, KAFKA)


def test_two_values_at_the_very_same_time_are_refused_at_once():
    series = [of_group(KAFKA.commit, [0], [one], replica=str(one)) for one in (5, 6)]

    with pytest.raises(SnapshotError, match="these labels differ: replica"):
        slots_of(series, KAFKA)


@pytest.mark.parametrize(
    "labels",
    [
        {"partition": "x"},
        {"partition": ""},
        {"partition": "-1"},
        {"topic": ""},
        {"topic": "t" * 250},
        {"consumergroup": ""},
    ],
)
def test_series_without_the_labels_of_a_partition_are_counted(labels):
    found = slots_of(
        [
            of_group(KAFKA.commit, [0], [5])._replace(
                labels={
                    "__name__": KAFKA.commit,
                    "consumergroup": "g",
                    "topic": "t",
                    "partition": "0",
                }
                | labels
            )
        ],
        KAFKA,
    )

    assert (found.slot.size, found.unusable_count) == (0, 1)


SEGLO, KLAG, MINION = kafka_lag_exporter.EXPORTER, klag.EXPORTER, kminion.EXPORTER


@pytest.mark.parametrize(
    ("there", "name"),
    [
        ([KAFKA.commit, KAFKA.end], "kafka_exporter"),
        ([KAFKA.commit, KAFKA.lag], "kafka_exporter"),
        ([MINION.end, MINION.lag], "kminion"),
        ([MINION.end, MINION.lag, KAFKA.commit, KAFKA.end], "kafka_exporter"),
        ([KAFKA.commit, KAFKA.end, SEGLO.commit, SEGLO.end], "kafka-lag-exporter"),
        ([KLAG.commit, KLAG.end], "klag"),
    ],
)
def test_of_several_exporters_the_one_with_commits_then_with_owners_is_read(there, name):
    assert chosen_exporter(there, EXPORTERS).name == name


@pytest.mark.parametrize(
    ("there", "words"),
    [
        ([], "it has no offset of a consumer group"),
        (
            ["kafka_consumergroup_lag_sum"],
            "only sums over partitions (kafka_consumergroup_lag_sum)",
        ),
        ([KAFKA.lag], "it has only kafka_consumergroup_lag"),
    ],
)
def test_without_offsets_of_partitions_the_error_says_what_is_there(there, words):
    with pytest.raises(SnapshotError) as refused:
        chosen_exporter(there, EXPORTERS)

    assert words in str(refused.value)
