"""Verdicts of many groups at once."""

from datetime import timedelta

import numpy as np
import pytest

from evenkeel.assignors.timeline.now import now
from evenkeel.assignors.timeline.verdicts import VERDICTS
from evenkeel.data.group.tables.many_groups import ManyGroups
from evenkeel.data.group.tables.series import MEMBER_COLUMNS, OFFSET_COLUMNS
from evenkeel.data.group.tables.verdicts import assumed_counts, verdict_tables
from evenkeel.data.lake.history.history import group_rows
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.history.recent import SLOTS, group_verdicts, last_of
from evenkeel.data.lake.place import place_of
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, plan_with_trouble
from tests.generated.stored import read_history, recent_verdicts
from tests.generated.written_slots import members_of, write_slot

PLAN = plan_with_trouble(groups=4, partitions=6, members=3, days=0.1)
DRAWN = ["drain_low_seconds", "drain_seconds", "drain_high_seconds", "drain_is_never"]
GROUPS = [f"group-{number:04d}" for number in range(PLAN.groups)]


@pytest.fixture(scope="module")
def lake(tmp_path_factory):
    place = place_of(tmp_path_factory.mktemp("verdicts") / "lake")
    write_lake(place, PLAN)
    return place


@pytest.fixture(scope="module")
def tables(lake):
    found = instants(lake, CLUSTER, PLAN.time(PLAN.slot_count - 60))
    rows = [
        group_rows(lake, name, found.batches, GROUPS, columns)
        for name, columns in (("OFFSETS", OFFSET_COLUMNS), ("MEMBERS", MEMBER_COLUMNS))
    ]
    return verdict_tables(*rows, found.axis, CLUSTER)


@pytest.mark.parametrize("group", range(PLAN.groups))
def test_a_group_among_many_has_the_figures_that_it_has_alone(lake, tables, group):
    alone = now(read_history(lake, GROUPS[group], CLUSTER, PLAN.time(PLAN.slot_count - 60)).series)
    row = tables.groups.to_pylist()[group]

    assert (row["group_id"], row["verdict"], row["partition_count"]) == (
        GROUPS[group],
        VERDICTS[alone.group_verdict],
        PLAN.partitions,
    )
    assert row["lag"] == alone.lag.sum() == row["lags"][-1]
    assert row["lag_seconds"] == pytest.approx(alone.worst_seconds)
    assert row["lag_seconds_method"] == alone.worst_method
    assert row["in_rate"] == pytest.approx(alone.in_rate.sum())
    assert row["out_rate"] == pytest.approx(alone.out_rate.sum())
    members = [one for one in tables.members.to_pylist() if one["group_id"] == GROUPS[group]]
    assert {
        one["member_id"]: np.nan if one["capacity"] is None else one["capacity"] for one in members
    } == {
        alone.series.member_id[member]: pytest.approx(alone.capacity.rate[member], nan_ok=True)
        for member in np.unique(alone.owner).tolist()
    }


def test_a_verdict_has_the_slot_since_when_it_holds(tables):
    first, last = (PLAN.time(PLAN.slot_count - 1 - slots) for slots in (40, 20))

    assert first < tables.groups["verdict_since"][0].as_py() < last
    assert tables.groups["taken_at"][0].as_py() == PLAN.time(PLAN.slot_count - 1) + timedelta(
        milliseconds=700
    )


def test_what_holds_since_the_first_snapshots_may_be_older(tables):
    assert tables.groups["verdict_is_older"].to_pylist() == [False, True, True, True]
    assert tables.groups["verdict_before"].to_pylist() == ["OK", None, None, None]


def test_the_stalled_member_is_the_one_that_stalled(tables):
    assert [
        one["member_id"] for one in tables.members.to_pylist() if one["verdict"] == "STALL"
    ] == ["member-0-4b1e"]


def test_members_whose_assumed_rate_decides_the_drain_are_counted(tables):
    rows = ManyGroups(("a", "b"), np.zeros(0, dtype=np.int64), np.array([0, 0, 0, 1, 1, 1]))
    seconds = np.array([[np.inf, 60.0, 0.0, 60.0, 70.0, np.nan]])

    # Whoever never drains decides alone; one that keeps up, or of which nothing is known, decides
    # nothing.
    assert assumed_counts(rows, seconds, np.array([True] * 6)).to_pylist() == [1, 2]
    assert tables.groups["drain_assumed_count"].to_pylist() == [0, 0, 0, 0]


def test_the_last_slots_of_a_lake_give_all_groups_at_once_or_some_at_a_time(lake):
    whole = recent_verdicts(lake, CLUSTER)
    some = group_verdicts(lake, last_of(instants(lake, CLUSTER), SLOTS), CLUSTER, (), cells=100)

    assert some.groups.drop_columns(DRAWN).equals(whole.groups.drop_columns(DRAWN))
    assert whole.groups["group_id"].to_pylist() == GROUPS
    assert recent_verdicts(lake, "other").groups.num_rows == 0


def test_two_slots_tell_one_time_without_a_band_and_only_of_members_that_were_busy(tmp_path):
    lake = place_of(tmp_path / "lake")
    # Records read in 30 s: 900 of payments, 6,000 of billing; calm came to the end, and new had
    # another member.
    read = {
        "payments": (1_000, 1_900),
        "billing": (1_000, 7_000),
        "calm": (9_900, 10_200),
        "new": (1_000, 1_900),
    }
    for number in range(2):
        member = {name: "B" if name == "new" and not number else "A" for name in read}
        rows = [
            {
                "group_id": name,
                "topic": "orders",
                "partition": 0,
                "begin_offset": 0,
                "member_id": member[name],
            }
            | {"committed_offset": committed[number], "end_offset": 10_000 + 300 * number}
            for name, committed in read.items()
        ]
        write_slot(
            lake, number, rows, [row for name in read for row in members_of(name, [member[name]])]
        )

    tables = recent_verdicts(lake, "c")

    # 8,400 behind fall by 30 - 10 records/s, 3,300 behind by 200 - 10.
    times = {"payments": pytest.approx(420), "billing": pytest.approx(3_300 / 190)}
    expected = {name: (None, seconds, None, False) for name, seconds in times.items()}
    expected |= {"calm": (0.0, 0.0, 0.0, False), "new": (None, None, None, False)}
    for table in tables:
        assert {
            row["group_id"]: tuple(row[name] for name in DRAWN) for row in table.to_pylist()
        } == expected


def test_a_group_whose_only_member_kept_up_and_stalls_for_20_slots_never_drains(tmp_path):
    lake = place_of(tmp_path / "lake")
    for number in range(40):
        offsets = {
            "begin_offset": 0,
            "committed_offset": 10 * min(number, 19),
            "end_offset": 10 * number,
            "member_id": "A",
        }
        write_slot(
            lake,
            number,
            [{"group_id": "payments", "topic": "orders", "partition": 0} | offsets],
            members_of("payments", ["A"]),
        )

    (group,) = recent_verdicts(lake, "c").groups.to_pylist()

    assert (group["verdict"], group["drain_is_never"], group["drain_seconds"]) == (
        "STALL",
        True,
        None,
    )
