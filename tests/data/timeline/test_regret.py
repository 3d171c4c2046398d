"""A group's history beside other assignors, for a picture."""

import pytest

from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.data.lake.history.change_store import store_history
from evenkeel.data.lake.place import place_of
from evenkeel.data.timeline.regret import regret, sampled
from evenkeel.data.timeline.replayed_history import replayed
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, plan_with_trouble
from tests.generated.stored import read_history

GROUP = "group-0002"
NAMES = ("current", "range", "roundrobin", "sticky", "cooperative-sticky", "lag")


@pytest.fixture
def lake(tmp_path):
    place = place_of(tmp_path / "lake")
    write_lake(place, plan_with_trouble(groups=3, partitions=7, members=3, days=0.02))
    return place


def shown(lake, most_cells=10**6):
    return regret(lake, sampled(read_history(lake, GROUP, CLUSTER), most_cells))


def test_the_assignors_of_the_groups_type_are_replayed_at_each_slot(lake):
    found, table = shown(lake), replayed(lake, read_history(lake, GROUP, CLUSTER)).to_pylist()

    assert found.names == NAMES
    assert found.time.size == len(table) == 58
    for row, one in enumerate(table):
        lag = dict(zip(one["assignor"], one["max_lag"], strict=True))
        assert found.worst[row].tolist() == [lag[name] for name in NAMES]


def test_a_stored_replay_that_has_the_slots_serves_and_another_does_not(lake):
    table = replayed(lake, read_history(lake, GROUP, CLUSTER), NAMES)
    other = table.set_column(
        table.schema.get_field_index("max_lag"), "max_lag", [[[7] * len(NAMES)] * table.num_rows]
    )

    store_history(lake, "REPLAY", other.cast(table.schema), CLUSTER, GROUP)
    assert (shown(lake).worst == 7).all()
    store_history(lake, "REPLAY", other.cast(table.schema).slice(1), CLUSTER, GROUP)
    assert not (shown(lake).worst == 7).any()


def test_an_assignor_that_a_stored_replay_does_not_have_is_asked(lake):
    store_history(
        lake,
        "REPLAY",
        replayed(lake, read_history(lake, GROUP, CLUSTER), ["range"]),
        CLUSTER,
        GROUP,
    )

    assert shown(lake).names == NAMES
    assert (shown(lake).worst != UNKNOWN_LAG).all()
