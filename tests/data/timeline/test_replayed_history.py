"""What assignors would have answered over time."""

import numpy as np
import pytest

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.compare.balance import load_by
from evenkeel.assignors.group.lag import page_lag
from evenkeel.assignors.timeline.events import events
from evenkeel.assignors.timeline.now import now
from evenkeel.data.group.columns.from_tables import observed_from_tables
from evenkeel.data.lake import store
from evenkeel.data.lake.place import place_of
from evenkeel.data.timeline.replayed_history import replayed
from evenkeel.data.timeline.words import event_words
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, plan_with_trouble
from tests.generated.stored import read_history
from tests.generated.written_slots import kept_up, members_of, write_slot

PLAN = plan_with_trouble(groups=3, partitions=7, members=3, days=0.02)


@pytest.fixture(scope="module")
def lake(tmp_path_factory):
    place = place_of(tmp_path_factory.mktemp("replayed") / "lake")
    write_lake(place, PLAN)
    return place


def rows(lake, group: str) -> list[dict]:
    return replayed(lake, read_history(lake, group, CLUSTER)).to_pylist()


def test_each_snapshot_has_the_worst_lag_that_each_assignor_gives_for_it_alone(lake):
    found = rows(lake, "group-0000")
    history = read_history(lake, "group-0000", CLUSTER)

    assert len(found) == PLAN.slot_count
    for place in (0, PLAN.slot_count // 2, PLAN.slot_count - 1):
        group = observed_from_tables(
            *store.tables(lake, history.batch[place], "group-0000"), "group-0000"
        )
        lag = page_lag(group.snapshot)
        # These two look at nothing but the snapshot.
        for name, owner in (
            ("current", group.current.owner),
            *((name, ASSIGNORS[name]().assign(group.snapshot).owner) for name in ("range", "lag")),
        ):
            worst = int(load_by(owner, lag, group.snapshot.member_count).lag.max())

            assert found[place]["max_lag"][found[place]["assignor"].index(name)] == worst


def test_moves_are_those_from_the_answer_before(lake):
    found = rows(lake, "group-0002")
    names = found[0]["assignor"]
    moves = np.array([one["moved_partitions"] for one in found[1:]])

    assert found[0]["moved_partitions"] == [None] * len(names)
    assert moves[:, names.index("current")].max() == PLAN.partitions, (
        "every partition goes to the next member"
    )
    assert moves[:, names.index("range")].max() == 0
    assert moves[:, names.index("sticky")].max() == 0
    assert moves[:, names.index("lag")].max() > 0


def test_a_group_that_is_not_there_has_no_rows(lake):
    assert rows(lake, "payments") == []


def test_a_snapshot_of_which_no_lag_is_known_has_no_worst_lag(tmp_path):
    place = place_of(tmp_path / "lake")
    for number in range(2):
        offsets = kept_up("payments", number)
        write_slot(
            place,
            number,
            [row | {"committed_offset": None} for row in offsets] if number else offsets,
            members_of("payments"),
        )

    found = replayed(place, read_history(place, "payments", "c"), ["range"]).to_pylist()

    assert [row["max_lag"] for row in found] == [[0, 0], [None, None]]


def test_partitions_of_a_member_that_left_have_moved_as_events_of_the_history_say(tmp_path):
    place = place_of(tmp_path / "lake")
    for number, owners in enumerate([("A", "B", "C", "C"), ("A", "B"), ("A", "B")]):
        # A live classic group whose members told no generation has 0.
        members = [row | {"generation": 0} for row in members_of("payments", sorted(set(owners)))]
        write_slot(place, number, kept_up("payments", number, owners), members)
    history = read_history(place, "payments", "c")

    moves = [row["moved_partitions"][0] for row in replayed(place, history, ["range"]).to_pylist()]
    told = [
        event_words(event, history.series)
        for event in events(history.series, now(history.series).verdicts)
    ]

    assert moves == [None, 2, 0]
    assert told == [
        "The group rebalanced, as its owners show; 2 partitions changed owner.",
        "C left.",
    ]
