"""What both sticky assignors do first: settle the claims, then one of two ways to assign (Kafka's AbstractStickyAssignor)."""

from assignors.classic.sticky_claims import believed, read_claims
from assignors.classic.sticky_constrained import assign_constrained
from assignors.classic.sticky_general import assign_general
from assignors.classic.sticky_outcome import Outcome
from assignors.classic.sticky_racks import racks_in_play
from assignors.classic.sticky_subscriptions import equality
from assignors.group import GroupSnapshot


def assign_sticky(group: GroupSnapshot, max_generation: int, is_watched: bool = False) -> Outcome:
    """Return who gets what.

    Parameters
    ----------
    max_generation : int
        The highest generation that the leader has seen before.
    is_watched : bool
        Also find out what is levelled out of its racks, which takes longer.

    Raises
    ------
    AssignorError
        As the Kafka class throws: ArithmeticException, IllegalStateException, NullPointerException; RequestError where it never ends.
    """
    claims = read_claims(group)
    owned = believed(group, claims)
    racks = racks_in_play(group, len(claims.beyond))
    is_equal, assumed = equality(group)
    if is_equal:
        outcome = assign_constrained(group, owned, racks)
    else:
        highest = max(max_generation, int(group.generation.max()))
        outcome = assign_general(group, claims, owned, racks, highest, is_watched)
    return outcome._replace(assumed=assumed) if assumed else outcome
