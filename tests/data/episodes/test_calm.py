"""Groups that are passed over because nothing can be wrong with them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenkeel.assignors.episodes.calm import is_calm
from evenkeel.assignors.episodes.evidence import Evidence
from evenkeel.assignors.episodes.judgement import Judgement
from evenkeel.assignors.episodes.settings import Settings
from evenkeel.assignors.group.series import Identity, Series
from tests.generated.incidents import Incident, Partition


def arriving(time: float) -> float:
    return 100 + 10 * time


def kept_up(time: float) -> float:
    return arriving(time) - 16


def owned(time: float) -> str:
    return "m"


def members(time: float) -> list[str]:
    return ["m"]


def evidence_of(tmp_path, partition: Partition, members=members) -> Evidence:
    return Incident({"a-0": partition}, members).recorded(tmp_path, 60, ()).evidence("g")


def test_a_group_whose_lag_stays_on_its_way_is_calm(tmp_path):
    assert is_calm(evidence_of(tmp_path, Partition(arriving, kept_up, owned)))


@pytest.mark.parametrize(
    "partition",
    [
        Partition(arriving, lambda time: kept_up(min(time, 100)), owned),
        Partition(arriving, lambda time: kept_up(time) - (50 if time > 100 else 0), owned),
        Partition(arriving, lambda time: 84 + 9 * time, owned),
        Partition(arriving, kept_up),
        Partition(arriving, kept_up, owned, begin=lambda time: arriving(time) - 5),
        Partition(lambda time: None if time > 100 else arriving(time), kept_up, owned),
    ],
    ids=["stops", "goes back", "falls behind", "nobody owns it", "is deleted", "is unknown"],
)
def test_a_partition_that_may_be_in_trouble_is_judged(tmp_path, partition):
    assert not is_calm(evidence_of(tmp_path, partition))


def test_a_second_member_without_partitions_is_judged(tmp_path):
    partition = Partition(arriving, kept_up, owned)

    assert not is_calm(evidence_of(tmp_path, partition, lambda time: ["m", "n"]))


@st.composite
def evidences(draw) -> Evidence:
    """Return fifty slots of mostly healthy groups."""
    chance = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    slots, tps, member_count = 50, draw(st.integers(1, 6)), draw(st.integers(1, 2))
    time = np.cumsum(chance.uniform(4, 6, slots))
    rate = chance.uniform(0.1, 40, tps) * np.where(chance.random(tps) < 0.2, 6, 1)
    noise = draw(st.sampled_from([0, 0, 0.1, 0.5]))
    arrived = rate * 5 * (1 + noise * chance.uniform(-1, 1, (slots, tps)))
    end = 1000 + np.cumsum(arrived, axis=0).astype(np.int64)
    left = (end[0] * 0 + rate * 4 * chance.random((slots, tps)) * draw(st.floats(0, 2))).astype(int)
    left += (np.arange(slots)[:, None] * rate * draw(st.sampled_from([0, 0, 0, 0.1, 1]))).astype(
        int
    )
    commit = end - left
    begin = np.broadcast_to(end.min(axis=0) - draw(st.sampled_from([900, 900, 0])), end.shape)
    owner = np.broadcast_to((np.arange(tps) % member_count).astype(np.int32), end.shape)
    names = tuple(f"m{number}" for number in range(member_count))
    series = Series(
        slot=np.arange(slots),
        time=time,
        topic_name=("a",),
        topic=np.zeros(tps, dtype=np.int32),
        partition=np.arange(tps, dtype=np.int32),
        begin_offset=begin,
        committed_offset=commit,
        end_offset=end,
        lag=left,
        member_id=names,
        owner=owner,
        is_listed=np.ones(end.shape, dtype=bool),
        is_member=np.ones((slots, member_count), dtype=bool),
        generation=np.ones(slots, dtype=np.int64),
    )
    return Evidence(
        series=series,
        stable_end=np.full(end.shape, -1),
        has_no_leader=np.zeros(end.shape, dtype=bool),
        identity=tuple(Identity(client_id=name) for name in names),
        subscription=np.zeros((slots, member_count), dtype=np.int32),
        topic_set=np.ones((1, 1), dtype=bool),
        is_stable=np.ones(slots, dtype=bool),
        is_share=False,
        retention=(None,),
    )


@settings(max_examples=300, deadline=None)
@given(evidences())
def test_no_rule_holds_in_a_calm_group(evidence):
    if is_calm(evidence):
        holdings = Judgement(evidence, Settings()).holdings

        assert not [rule for rule, holding in holdings.items() if holding.holds.any()]
