"""What both sticky assignors do first: settle the claims, then one of two ways to assign (Kafka's AbstractStickyAssignor)."""

import numpy as np

from assignors.classic.sticky_claims import believed, read_claims
from assignors.classic.sticky_constrained import assign_constrained
from assignors.classic.sticky_general import assign_general
from assignors.classic.sticky_outcome import Outcome
from assignors.classic.sticky_racks import racks_in_play
from assignors.classic.sticky_subscriptions import equality, subscriptions, topics_in_play
from assignors.group import GroupSnapshot


def assign_sticky(group: GroupSnapshot, max_generation: int) -> Outcome:
    """Return who gets what; `max_generation` is the highest generation that the leader has seen before.

    Raises
    ------
    AssignorError
        As the Kafka class throws: ArithmeticException, IllegalStateException, NullPointerException.
    """
    said = subscriptions(group)
    in_play = topics_in_play(group, said)
    claims = read_claims(group, in_play)
    owned = believed(group, claims)
    racks = racks_in_play(group, in_play, len(claims.beyond))
    is_equal, assumed = equality(group, said)
    if is_equal:
        outcome = assign_constrained(group, in_play, owned, racks)
    else:
        highest = max(max_generation, int(group.generation.max()))
        outcome = assign_general(group, said, in_play, claims, owned, racks, highest)
    return outcome._replace(assumed=tuple(dict.fromkeys((*assumed, *outcome.assumed))))
