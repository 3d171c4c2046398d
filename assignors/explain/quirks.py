"""Which of Kafka's surprising behaviours strike in an answer, whichever assignor gave it."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.explain.client_quirks import behind_dynamic, distant, foreign, left_out
from evenkeel.assignors.explain.quirk import REMAINDER, Quirk, could_give, quirk_of
from evenkeel.assignors.explain.range_quirks import placed_by_racks, rack_quirks, remainder
from evenkeel.assignors.explain.sticky_quirks import sticky_quirks
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.kafka.sticky.assignor import racks_in_play
from evenkeel.assignors.protocol import Assignor

Detector = Callable[[GroupSnapshot, Assignor, Assignment], tuple[Quirk, ...]]


def quirks(group: GroupSnapshot, assignor: Assignor, answer: Assignment | None) -> tuple[Quirk, ...]:
    """Return the behaviours of `assignor.quirks` that strike; `answer` is None where Kafka throws, and some behaviours say why."""
    detectors = dict.fromkeys(DETECTORS[name] for name in assignor.quirks if name in WITHOUT_ANSWER or (answer and group.member_count))
    return tuple(quirk for detect in detectors for quirk in detect(group, assignor, answer) if quirk.name in assignor.quirks)


def _of_racks(group: GroupSnapshot, _assignor: Assignor, _answer: Assignment) -> tuple[Quirk, ...]:
    return rack_quirks(group)


def _of_claims(group: GroupSnapshot, assignor: Assignor, _answer: Assignment | None) -> tuple[Quirk, ...]:
    return sticky_quirks(group, assignor.max_generation)


def _remainder(group: GroupSnapshot, assignor: Assignor, answer: Assignment) -> tuple[Quirk, ...]:
    """The first members get one more partition of each topic and at least two more than others could take; racks played no part."""
    return remainder(group, answer, placed_by_racks(group, answer) if assignor.uses_racks else ())


def _last_get_more(group: GroupSnapshot, _assignor: Assignor, answer: Assignment) -> tuple[Quirk, ...]:
    """Q-37: the last members get the longer range of every topic."""
    return remainder(group, answer, name="Q-37")


def _uneven(name: str, group: GroupSnapshot, _assignor: Assignor, answer: Assignment) -> tuple[Quirk, ...]:
    """Q-3, Q-12: a member carries at least two partitions more than another that could take one, because subscriptions differ."""
    return _could_give(name, group, could_give(group, answer.owner), answer)


def _ties_by_id(group: GroupSnapshot, _assignor: Assignor, answer: Assignment) -> tuple[Quirk, ...]:
    """Q-24: totals start at 0 in every topic, so the smallest ids get all topics that have fewer partitions than subscribers."""
    tps = could_give(group, answer.owner)
    is_small = group.partition_count < group.subscribers_by_id.count_of_topic
    return _could_give("Q-24", group, tps[is_small[group.tp_topic[tps]]], answer)


def _could_give(name: str, group: GroupSnapshot, tps: np.ndarray, answer: Assignment) -> tuple[Quirk, ...]:
    return quirk_of(name, answer.owner[tps], group.tp_topic[tps])


def _distant(group: GroupSnapshot, _assignor: Assignor, answer: Assignment) -> tuple[Quirk, ...]:
    """Q-10: racks do not count. Strikes members that have partitions without a replica in their rack but with one in another member's."""
    racks = racks_in_play(group, 0)
    if racks is None:
        return ()
    tps = np.flatnonzero(answer.owner != UNASSIGNED)
    far = tps[racks.mismatch(answer.owner[tps], tps) & (racks.near_count(tps) > 0)]
    return quirk_of("Q-10", answer.owner[far], group.tp_topic[far])


def _one_instance_id(group: GroupSnapshot, _assignor: Assignor, answer: Assignment) -> tuple[Quirk, ...]:
    """Q-25: two members share an instance id, so hash codes decide their order."""
    times = Counter(group.instance_id)
    shared = np.array([instance is not None and times[instance] > 1 for instance in group.instance_id], dtype=bool)
    tps = np.flatnonzero(np.append(shared, False)[answer.owner])
    return quirk_of("Q-25", answer.owner[tps], group.tp_topic[tps])


WITHOUT_ANSWER: Mapping[str, Detector] = dict.fromkeys(("Q-4", "Q-5", "Q-6", "Q-8", "Q-9"), _of_claims)
"""Detectors that also explain why there is no answer."""

DETECTORS: Mapping[str, Detector] = {
    **WITHOUT_ANSWER,
    "Q-1": _of_racks,
    "Q-2": _of_racks,
    REMAINDER: _remainder,
    "Q-3": partial(_uneven, "Q-3"),
    "Q-10": _distant,
    "Q-12": partial(_uneven, "Q-12"),
    "Q-24": _ties_by_id,
    "Q-25": _one_instance_id,
    "Q-29": partial(foreign, "Q-29"),
    "Q-31": left_out,
    "Q-37": _last_get_more,
    "Q-32": partial(foreign, "Q-32"),
    "Q-34": distant,
    "Q-35": partial(foreign, "Q-35"),
    "Q-39": behind_dynamic,
}
"""By the name that an assignor lists in `quirks`; a detector may find several."""
