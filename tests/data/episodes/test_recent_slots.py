"""Slots that are held between looks: the same evidence as slots that are read at each look."""

from datetime import timedelta
from random import Random

import numpy as np
import pytest

from evenkeel.data.configuration.findings import FindingSettings
from evenkeel.data.episodes import recent_slots
from evenkeel.data.episodes.answer import findings_of
from evenkeel.data.episodes.recent_slots import RecentSlots
from evenkeel.data.episodes.stored import StoredSnapshots
from evenkeel.data.lake.history import history
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.history.recent import last_of
from evenkeel.data.lake.place import place_of
from evenkeel.data.lake.slots.retention import Retention
from evenkeel.data.lake.slots.tidy import tidy
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, plan_with_trouble
from tests.generated.written_slots import write_slot

_ALWAYS = timedelta(days=36_500)
_CELLS = (
    "begin_offset",
    "committed_offset",
    "end_offset",
    "lag",
    "is_listed",
    "read_seconds",
)


class World:
    """Groups that change from slot to slot as chance has it; every slot can be asked for again."""

    def __init__(self, seed: int):
        self._seed = seed
        chance = Random(seed)
        self.groups = [f"g{number}" for number in range(chance.randint(1, 5))]
        self.is_restless = {group: chance.random() < 0.5 for group in self.groups}
        self.reset = {group: chance.choice([None, None, "latest"]) for group in self.groups}

    def write(self, lake, number: int) -> None:
        """Write a slot."""
        offsets, members = [], []
        for group in self.groups:
            chance = Random(f"{self._seed} {group} {number if self.is_restless[group] else 0}")
            if chance.random() < 0.2 and self.is_restless[group]:
                continue
            names = [f"m{name}" for name in range(chance.randint(1, 3))]
            topics = chance.sample(["a", "b", "c"], chance.randint(1, 2))
            for topic in topics:
                for partition in range(chance.randint(1, 4)):
                    end = 1000 + 10 * number
                    is_known = not self.is_restless[group] or chance.random() < 0.8
                    offsets.append(
                        {
                            "group_id": group,
                            "topic": topic,
                            "partition": partition,
                            "begin_offset": 10 if is_known else chance.randint(0, 2000),
                            "committed_offset": end - 3 if is_known else None,
                            "end_offset": end,
                            "stable_offset": chance.choice([None, end]),
                            "auto_offset_reset": self.reset[group],
                            "lag_seconds": chance.choice([None, 2.5]),
                            "member_id": names[partition % len(names)],
                            "client_id": "c",
                            "source_format": "evenkeel.group/1",
                        }
                    )
            members += [
                {
                    "group_id": group,
                    "member_id": name,
                    "client_id": f"c-{name}",
                    "host": "h",
                    "group_state": chance.choice(["Stable", "Stable", "PreparingRebalance"]),
                    "subscribed": chance.choice([topics, topics, None]),
                }
                for name in names
            ]
        write_slot(lake, number, offsets, members)


def shown(evidence) -> dict:
    """Return the evidence with members in the order of names."""
    series = evidence.series
    order = np.argsort(series.member_id)
    name = np.array([*series.member_id, ""])
    sets = [*evidence.topic_set.tolist(), None]
    return {
        "topics": series.topic_name,
        "partitions": (series.topic.tolist(), series.partition.tolist()),
        "time": series.time.tolist(),
        "slot": series.slot.tolist(),
        "members": [series.member_id[row] for row in order],
        "identity": [evidence.identity[row] for row in order],
        "is_member": series.is_member[:, order].tolist(),
        "owner": name[series.owner].tolist(),
        "subscription": [
            [sets[row] for row in rows] for rows in evidence.subscription[:, order].tolist()
        ],
        "stable_end": evidence.stable_end.tolist(),
        "is_stable": evidence.is_stable.tolist(),
        "is_share": evidence.is_share,
        "has_owners": series.has_owners,
        **{each: np.asarray(getattr(series, each)).tolist() for each in _CELLS},
    }


def reset_is_alone(shown_evidence: dict) -> dict:
    """Leave out what evidence of groups that are read together has for the sake of the others."""
    seconds = np.array(shown_evidence["read_seconds"])
    return shown_evidence | {"read_seconds": None if (seconds == -1).all() else seconds.tolist()}


@pytest.mark.parametrize("seed", range(4))
def test_slots_that_are_held_have_the_evidence_of_slots_that_are_read(tmp_path, monkeypatch, seed):
    lake, world, chance = place_of(tmp_path / "lake"), World(seed), Random(seed)
    monkeypatch.setattr(recent_slots, "_PART_PARTITIONS", chance.choice([2, 1000]))
    # Most looks find several new slots here.
    monkeypatch.setattr(recent_slots, "_LEAST_SHARE", 0.1)
    held = RecentSlots(lake, "c")
    # Some slots come late, and some are missing.
    order = sorted(range(24), key=lambda number: number + chance.choice([0, 0, 0, 5]))
    for count, number in enumerate(order):
        if chance.random() < 0.1:
            continue
        world.write(lake, number)
        if chance.random() < 0.1:
            tidy(lake, Retention(_ALWAYS, _ALWAYS, _ALWAYS), settle_seconds=0)
        found = last_of(instants(lake, "c"), 12)
        if count % 3 or not found.batches:
            continue
        fresh = dict(StoredSnapshots(lake, "c", found).evidence_of(()))
        pairs = list(held.evidence_of(found))
        kept = dict(pairs)
        assert sorted(group for group, _ in pairs) == sorted(fresh)
        for group, evidence in kept.items():
            assert reset_is_alone(shown(evidence)) == reset_is_alone(shown(fresh[group]))
            assert [
                each.document() for each in findings_of(evidence, group, FindingSettings())
            ] == [each.document() for each in findings_of(fresh[group], group, FindingSettings())]


@pytest.mark.parametrize("without", [0, 11])
def test_a_slot_without_groups_is_held_beside_others(tmp_path, without):
    lake, world, topics = (
        place_of(tmp_path / "lake"),
        World(1),
        [{"topic": "t", "partition_count": 2}],
    )
    held = RecentSlots(lake, "c")
    if without == 0:
        write_slot(lake, 0, [], topics=topics)
        list(held.evidence_of(last_of(instants(lake, "c"), 12)))
    for number in range(1, 11):
        world.write(lake, number)
    list(held.evidence_of(last_of(instants(lake, "c"), 12)))
    if without:
        write_slot(lake, without, [], topics=topics)
    slots = last_of(instants(lake, "c"), 12)

    evidence = dict(held.evidence_of(slots, lambda group: True))

    fresh = dict(StoredSnapshots(lake, "c", slots).evidence_of(()))
    assert evidence.keys() == fresh.keys()
    assert all(
        np.array_equal(evidence[group].series.lag, fresh[group].series.lag) for group in fresh
    )


def test_only_new_slots_are_read(tmp_path, monkeypatch):
    lake, world = place_of(tmp_path / "lake"), World(1)
    held, opened = RecentSlots(lake, "c"), []
    for number in range(20):
        world.write(lake, number)
    list(held.evidence_of(last_of(instants(lake, "c"), 12)))
    world.write(lake, 20)
    found = last_of(instants(lake, "c"), 12)
    read = history._rows_of_whole_file
    monkeypatch.setattr(
        history,
        "_rows_of_whole_file",
        lambda *given: opened.append(given[3]) or read(*given),
    )

    list(held.evidence_of(found))

    batch = found.batches[-1].batch
    assert {file.split("/")[1] for file in opened} == {batch}


def test_of_groups_in_which_nothing_can_be_wrong_only_those_that_are_asked_for_are_cut(tmp_path):
    lake = place_of(tmp_path / "lake")
    write_lake(lake, plan_with_trouble(groups=6, partitions=4, members=2, days=0.05))
    found = last_of(instants(lake, CLUSTER), 40)
    held = RecentSlots(lake, CLUSTER)

    few = [group for group, _ in held.evidence_of(found, lambda group: group == "group-0005")]

    assert "group-0000" in few
    assert "group-0005" in few
    assert len(few) < 6


def test_of_a_larger_cluster_nothing_is_held(tmp_path, monkeypatch):
    lake = place_of(tmp_path / "lake")
    monkeypatch.setattr(recent_slots, "MOST_CELLS", 100)
    write_lake(lake, plan_with_trouble(groups=3, partitions=4, members=2, days=0.05))
    held, found = RecentSlots(lake, CLUSTER), last_of(instants(lake, CLUSTER), 40)

    every = dict(held.evidence_of(found))

    assert len(every) == 3
    assert not held._slots
