"""Which surprising behaviours strike in an answer of sticky or cooperative-sticky."""

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, AssignorError
from evenkeel.assignors.explain.quirk import Quirk, quirk_of
from evenkeel.assignors.group import NO_GENERATION, NO_TP, GroupSnapshot
from evenkeel.assignors.kafka.sticky.assignor import assign_sticky
from evenkeel.assignors.kafka.sticky.claims import Outcome


def sticky_quirks(group: GroupSnapshot, max_generation: int = NO_GENERATION) -> tuple[Quirk, ...]:
    """Return the quirks that strike when the group is assigned; where Kafka throws, the quirks that cause the exception.

    * Q-4: the leader remembers a higher generation, which changes the answer. Strikes the member that gets the partition.
    * Q-5: a member without subscription gets partitions, because Kafka meets it before the first member with a subscription.
    * Q-6: a member claims partitions beyond the topic's size and keeps them; other members may get partitions that already have an owner.
    * Q-8: a partition goes back to a member of an older generation that no longer subscribes to the topic.
    * Q-9: a partition is moved out of its owner's rack although a subscriber in a rack of its replicas could take it. Strikes the member
      that gets it.

    Q-7 never strikes here: a snapshot has one generation for each member.
    """
    try:
        outcome = assign_sticky(group, max_generation, is_watched=True)
    except AssignorError as error:
        return _quirks_of_error(group, max_generation, error)
    beyond = quirk_of("Q-6", outcome.extra[:, 0], outcome.extra[:, 1])
    left_rack = quirk_of("Q-9", outcome.owner[outcome.left_rack], group.tp_topic[outcome.left_rack])
    return (*_remembered(group, max_generation, outcome), *_unsubscribed(group, outcome), *beyond, *left_rack)


def _unsubscribed(group: GroupSnapshot, outcome: Outcome) -> tuple[Quirk, ...]:
    owned = np.flatnonzero(outcome.owner != UNASSIGNED)
    member, topic = outcome.owner[owned], group.tp_topic[owned]
    foreign = ~group.is_listed[group.subscription[member], topic]
    # The constrained path checks no subscription; the general one checks it except when a partition returns (performReassignments).
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


def _quirks_of_error(group: GroupSnapshot, max_generation: int, error: AssignorError) -> tuple[Quirk, ...]:
    """Return Q-6 for claims beyond a topic's size, else Q-8 for claims of an older generation to topics that the member left."""
    member, topic = group.claim_member, group.claim_topic
    beyond = group.in_play[topic] & (group.claim_tp == NO_TP)
    if beyond.any():
        return quirk_of("Q-6", member[beyond], topic[beyond])
    highest = max(max_generation, int(group.generation.max(initial=NO_GENERATION)))
    older = (group.generation[member] < highest) & ~group.is_listed[group.subscription[member], topic]
    return quirk_of("Q-8", member[older], topic[older]) if error.java_class == "NullPointerException" else ()
