"""Quirks: surprising behaviour of assignors that a reader of the assignment should know."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment, AssignorError
from evenkeel.assignors.clients.librdkafka.known_group import (
    known_group,
)
from evenkeel.assignors.clients.librdkafka.known_group import (
    racks_in_play as librdkafka_racks,
)
from evenkeel.assignors.group import NO_GENERATION, NO_RACK, NO_TP, GroupSnapshot
from evenkeel.assignors.kafka.range import (
    matching,
    needs_racks,
    owners_by_rack,
    owners_without_racks,
)
from evenkeel.assignors.kafka.sticky.assignor import assign_sticky, racks_in_play
from evenkeel.assignors.kafka.sticky.claims import Outcome
from evenkeel.assignors.protocol import Assignor

REMAINDER = "remainder"
"""Not a fault: in each topic, range gives the first members one more partition if partitions do
not divide evenly.
"""


class Quirk(NamedTuple):
    """A surprising behaviour, and where it occurs: pairs of `member` and `topic`, int32, ascending,
    without duplicates.

    `name`: as in `docs/assignors.md`, for example `Q-5`.
    """

    name: str
    member: np.ndarray
    topic: np.ndarray


def quirk_of(name: str, member: np.ndarray, topic: np.ndarray) -> tuple[Quirk, ...]:
    """Return one quirk with these pairs of member and topic, or an empty tuple if there are no
    pairs. Pairs may be repeated.
    """
    pairs = np.unique(np.column_stack((member, topic)), axis=0).astype(np.int32)
    return (Quirk(name, pairs[:, 0], pairs[:, 1]),) if len(pairs) else ()


def could_give(group: GroupSnapshot, owner: np.ndarray) -> np.ndarray:
    """Return the row numbers (int64, ascending) of partitions that could move: the owner has at
    least two partitions more than another subscriber of the topic.

    `owner`: int32 (P,).
    """
    tps = np.flatnonzero(owner != UNASSIGNED)
    counts = np.bincount(owner[tps], minlength=group.member_count)
    subscribers = group.subscribers
    fewest = np.array(
        [
            counts[members].min() if members.size else np.iinfo(np.int64).max
            for members in subscribers.members
        ]
    )
    # Not fewest + 1, because it would wrap around: a topic without subscribers has the largest
    # int64.
    return tps[counts[owner[tps]] - 1 > fewest[subscribers.set_of_topic[group.tp_topic[tps]]]]


Detector = Callable[[GroupSnapshot, Assignor, Assignment], tuple[Quirk, ...]]


def quirks(
    group: GroupSnapshot, assignor: Assignor, answer: Assignment | None
) -> tuple[Quirk, ...]:
    """Return the quirks of the assignor that occur in the assignment. `answer`: None if Kafka
    throws; some quirks then explain the exception.
    """
    detectors = dict.fromkeys(
        DETECTORS[name]
        for name in assignor.quirks
        if name in WITHOUT_ANSWER or (answer and group.member_count)
    )
    quirks_of_all = chain.from_iterable(detect(group, assignor, answer) for detect in detectors)
    return tuple(quirk for quirk in quirks_of_all if quirk.name in assignor.quirks)


def _of_racks(group: GroupSnapshot, _assignor: Assignor, _answer: Assignment) -> tuple[Quirk, ...]:
    return rack_quirks(group)


def _of_claims(
    group: GroupSnapshot, assignor: Assignor, _answer: Assignment | None
) -> tuple[Quirk, ...]:
    return sticky_quirks(group, assignor.max_generation)


def _remainder(group: GroupSnapshot, assignor: Assignor, answer: Assignment) -> tuple[Quirk, ...]:
    return remainder(group, answer, placed_by_racks(group, answer) if assignor.uses_racks else ())


def _last_get_more(
    group: GroupSnapshot, _assignor: Assignor, answer: Assignment
) -> tuple[Quirk, ...]:
    """Q-37: the last members get one more partition of every topic."""
    return remainder(group, answer, name="Q-37")


def _uneven(
    name: str, group: GroupSnapshot, _assignor: Assignor, answer: Assignment
) -> tuple[Quirk, ...]:
    """Q-3, Q-12: subscriptions differ, and a member has at least two partitions more than another
    subscriber of one of its topics.
    """
    return _could_give(name, group, could_give(group, answer.owner), answer)


def _ties_by_id(group: GroupSnapshot, _assignor: Assignor, answer: Assignment) -> tuple[Quirk, ...]:
    """Q-24: the assignor counts partitions for each topic separately. If a topic has fewer
    partitions than subscribers, the subscribers with the smallest ids get all its partitions.
    """
    tps = could_give(group, answer.owner)
    is_small = group.partition_count < group.subscribers_by_id.count_of_topic
    return _could_give("Q-24", group, tps[is_small[group.tp_topic[tps]]], answer)


def _could_give(
    name: str, group: GroupSnapshot, tps: np.ndarray, answer: Assignment
) -> tuple[Quirk, ...]:
    return quirk_of(name, answer.owner[tps], group.tp_topic[tps])


def _distant(group: GroupSnapshot, _assignor: Assignor, answer: Assignment) -> tuple[Quirk, ...]:
    """Q-10: racks are ignored. Affects a member that gets a partition without a replica in its
    rack, although a replica of this partition is in the rack of another member.
    """
    racks = racks_in_play(group, 0)
    if racks is None:
        return ()
    tps = np.flatnonzero(answer.owner != UNASSIGNED)
    far = tps[racks.mismatch(answer.owner[tps], tps) & (racks.near_count(tps) > 0)]
    return quirk_of("Q-10", answer.owner[far], group.tp_topic[far])


def _one_instance_id(
    group: GroupSnapshot, _assignor: Assignor, answer: Assignment
) -> tuple[Quirk, ...]:
    """Q-25: two members share an instance id, so hash codes decide their order."""
    times = Counter(group.instance_id)
    shared = np.array(
        [instance is not None and times[instance] > 1 for instance in group.instance_id], dtype=bool
    )
    tps = np.flatnonzero(np.append(shared, False)[answer.owner])
    return quirk_of("Q-25", answer.owner[tps], group.tp_topic[tps])


# Of range


def remainder(
    group: GroupSnapshot, answer: Assignment, by_racks: Collection[int] = (), name: str = REMAINDER
) -> tuple[Quirk, ...]:
    """Return the members that have at least two partitions more than another subscriber, because
    they get one more partition of each topic whose partitions do not divide evenly.

    `by_racks`: topics to leave out. `name`: the quirk; another quirk if the last members get
    more.
    """
    tps = could_give(group, answer.owner)
    tps = tps[~np.isin(group.tp_topic[tps], list(by_racks))]
    member, topic = answer.owner[tps], group.tp_topic[tps]
    subscriber_count = np.array([members.size for members in group.subscribers.members])[
        group.subscribers.set_of_topic
    ]
    pair, count = np.unique(np.column_stack((member, topic)), axis=0, return_counts=True)
    more = count > group.partition_count[pair[:, 1]] // np.maximum(subscriber_count[pair[:, 1]], 1)
    return quirk_of(name, pair[more, 0], pair[more, 1])


def placed_by_racks(group: GroupSnapshot, answer: Assignment) -> list[int]:
    """Return the topics in which a partition would have another owner if there were no racks."""
    return np.unique(group.tp_topic[answer.owner != owners_without_racks(group)]).tolist()


def rack_quirks(group: GroupSnapshot) -> tuple[Quirk, ...]:
    """Return the quirks Q-1 and Q-2.

    * Q-1: a member without a rack takes a partition that has a replica in the rack of another
      member. Affects this other member if it then gets a distant partition.
    * Q-2: one topic needs racks, so other topics are also assigned by partition number. Affects
      members that have other partitions of these topics than without racks, although no replica of
      these topics is in their rack.
    """
    first: list[tuple[int, int]] = []
    second: list[tuple[int, int]] = []
    plain = owners_without_racks(group)
    for topics, owners in owners_by_rack(group):
        fits = matching(group, topics)
        first += [(member, topic) for member in _robbed(group, fits, owners) for topic in topics]
        for topic in topics:
            if not needs_racks(group, topic):
                changed = owners != plain[group.tps_of(topic)]
                struck = {*owners[changed].tolist(), *plain[group.tps_of(topic)][changed].tolist()}
                second += [
                    (member, topic)
                    for member in struck
                    if not fits[int(group.member_rack[member])].any()
                ]
    return (*_of_pairs("Q-1", first), *_of_pairs("Q-2", second))


def _robbed(group: GroupSnapshot, fits: dict[int, np.ndarray], owners: np.ndarray) -> list[int]:
    """Return the members that Q-1 affects."""
    of_rackless = group.member_rack[owners] == NO_RACK
    racks = [rack for rack, near in fits.items() if rack != NO_RACK and (near & of_rackless).any()]
    distant = [owners[(group.member_rack[owners] == rack) & ~fits[rack]] for rack in racks]
    return np.unique(np.concatenate([np.empty(0, dtype=np.int32), *distant])).tolist()


def _of_pairs(name: str, pairs: list[tuple[int, int]]) -> tuple[Quirk, ...]:
    return quirk_of(name, *np.array(pairs, dtype=np.int32).reshape(-1, 2).T)


# Of sticky and cooperative-sticky


def sticky_quirks(group: GroupSnapshot, max_generation: int = NO_GENERATION) -> tuple[Quirk, ...]:
    """Return the quirks that occur in the assignment of the group. If Kafka throws, return the
    quirks that cause the exception.

    * Q-4: the leader remembers a higher generation than the members report, which changes the
      assignment. Affects the member that gets the partition.
    * Q-5: a member without a subscription gets partitions, because Kafka reads this member before
      the first member with a subscription.
    * Q-6: a member claims partitions that the topic does not have, and keeps them. Other members
      may get partitions that already have an owner.
    * Q-8: a partition goes back to a member that claims it with an older generation but no longer
      subscribes to the topic.
    * Q-9: a partition moves out of the rack of its owner, although a subscriber in a rack with a
      replica could take it. Affects the member that gets the partition.

    Q-7 cannot occur here: a member has only one generation in a snapshot.
    """
    try:
        outcome = assign_sticky(group, max_generation, is_watched=True)
    except AssignorError as error:
        return _quirks_of_error(group, max_generation, error)
    beyond = quirk_of("Q-6", outcome.extra[:, 0], outcome.extra[:, 1])
    left_rack = quirk_of("Q-9", outcome.owner[outcome.left_rack], group.tp_topic[outcome.left_rack])
    return (
        *_remembered(group, max_generation, outcome),
        *_unsubscribed(group, outcome),
        *beyond,
        *left_rack,
    )


def _unsubscribed(group: GroupSnapshot, outcome: Outcome) -> tuple[Quirk, ...]:
    owned = np.flatnonzero(outcome.owner != UNASSIGNED)
    member, topic = outcome.owner[owned], group.tp_topic[owned]
    foreign = ~group.is_listed[group.subscription[member], topic]
    # The constrained path does not check subscriptions. The general path checks subscriptions,
    # except when a partition returns (performReassignments).
    return quirk_of("Q-5" if outcome.is_constrained else "Q-8", member[foreign], topic[foreign])


def _remembered(group: GroupSnapshot, max_generation: int, outcome: Outcome) -> tuple[Quirk, ...]:
    # Only GeneralAssignmentBuilder.prepopulateCurrentAssignments reads the leader's maxGeneration.
    if outcome.is_constrained or max_generation <= group.generation.max():
        return ()
    try:
        fresh = assign_sticky(group, NO_GENERATION).owner
    except AssignorError:
        fresh = np.full(group.tp_count, UNASSIGNED)
    other = np.flatnonzero((outcome.owner != fresh) & (outcome.owner != UNASSIGNED))
    return quirk_of("Q-4", outcome.owner[other], group.tp_topic[other])


def _quirks_of_error(
    group: GroupSnapshot, max_generation: int, error: AssignorError
) -> tuple[Quirk, ...]:
    """Return Q-6 if members claim partitions that a topic does not have. Otherwise return Q-8 for
    members that claim partitions with an older generation but no longer subscribe to the topic.
    """
    member, topic = group.claim_member, group.claim_topic
    beyond = group.in_play[topic] & (group.claim_tp == NO_TP)
    if beyond.any():
        return quirk_of("Q-6", member[beyond], topic[beyond])
    highest = max(max_generation, int(group.generation.max(initial=NO_GENERATION)))
    older = (group.generation[member] < highest) & ~group.is_listed[
        group.subscription[member], topic
    ]
    return (
        quirk_of("Q-8", member[older], topic[older])
        if error.java_class == "NullPointerException"
        else ()
    )


# Of other clients


def left_out(group: GroupSnapshot, _assignor: Assignor, answer: Assignment) -> tuple[Quirk, ...]:
    """Q-31: static and dynamic members are mixed. Affects members that get no partition of their
    topics, while other members get several.
    """
    is_static = np.array([instance is not None for instance in group.instance_id], dtype=bool)
    counts = np.bincount(answer.owner[answer.owner != UNASSIGNED], minlength=group.member_count)
    if is_static.all() or not is_static.any() or counts.max(initial=0) < 2:
        return ()
    listed = group.is_listed[group.subscription] & group.in_play
    member, topic = np.nonzero(listed & (counts == 0)[:, None])
    return quirk_of("Q-31", member, topic)


def distant(group: GroupSnapshot, _assignor: Assignor, _answer: Assignment) -> tuple[Quirk, ...]:
    """Q-34: a member does not keep a partition without a replica in its rack. Affects members that
    claim such a partition. An empty rack name matches no replica.
    """
    racks = librdkafka_racks(known_group(group))
    if racks is None:
        return ()
    exists = group.claim_tp != NO_TP
    member, tp = group.claim_member[exists], group.claim_tp[exists]
    far = racks.mismatch(member, tp)
    return quirk_of("Q-34", member[far], group.tp_topic[tp[far]])


def behind_dynamic(
    group: GroupSnapshot, _assignor: Assignor, answer: Assignment
) -> tuple[Quirk, ...]:
    """Q-39: static members do not come first. Affects static members that get fewer partitions of a
    topic than a dynamic subscriber.
    """
    is_static = np.array([instance is not None for instance in group.instance_id], dtype=bool)
    if is_static.all() or not is_static.any():
        return ()
    counts = np.zeros((group.member_count, group.topic_count), dtype=np.int64)
    tps = np.flatnonzero(answer.owner != UNASSIGNED)
    np.add.at(counts, (answer.owner[tps], group.tp_topic[tps]), 1)
    listed = group.is_listed[group.subscription] & is_static[:, None]
    return quirk_of("Q-39", *np.nonzero(listed & (counts < counts[~is_static].max(axis=0))))


def foreign(
    name: str, group: GroupSnapshot, _assignor: Assignor, answer: Assignment
) -> tuple[Quirk, ...]:
    """Q-29, Q-32, Q-35: a member has partitions of a topic that it does not subscribe to."""
    tps = np.flatnonzero(answer.owner != UNASSIGNED)
    member = np.append(answer.owner[tps], answer.extra[:, 0])
    topic = np.append(group.tp_topic[tps], answer.extra[:, 1])
    is_foreign = ~group.is_listed[group.subscription[member], topic]
    return quirk_of(name, member[is_foreign], topic[is_foreign])


# The detector of each behaviour

WITHOUT_ANSWER: Mapping[str, Detector] = dict.fromkeys(
    ("Q-4", "Q-5", "Q-6", "Q-8", "Q-9"), _of_claims
)
"""Detectors that can also explain an exception."""

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
"""Detectors by the names in `quirks` of an assignor. A detector may return several quirks."""
