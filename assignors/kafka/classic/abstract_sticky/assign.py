"""What both sticky assignors share: settle the claims, then run one of two algorithms (Kafka's AbstractStickyAssignor)."""

from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.kafka.classic.abstract_sticky.claims import believed, read_claims
from evenkeel.assignors.kafka.classic.abstract_sticky.constrained.assign import assign_constrained
from evenkeel.assignors.kafka.classic.abstract_sticky.general.assign import assign_general
from evenkeel.assignors.kafka.classic.abstract_sticky.outcome import Outcome
from evenkeel.assignors.kafka.classic.abstract_sticky.racks import racks_in_play
from evenkeel.assignors.kafka.classic.abstract_sticky.subscriptions import equality


def assign_sticky(group: GroupSnapshot, max_generation: int, is_watched: bool = False) -> Outcome:
    """Return who gets what.

    Parameters
    ----------
    max_generation : int
        The highest generation that the leader has seen before.
    is_watched : bool
        Also find partitions that levelling moves out of their racks, which takes longer.

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
