"""On the way: what members of a KIP-848 group must still give up and get."""

from dataclasses import dataclass

from evenkeel.data.document import Document, Held, Member, in_order, with_partitions


@dataclass(frozen=True)
class Underway:
    """One member whose assignment is not its target: partition numbers by topic, ascending.

    `gives_up`, `gets`: the difference between its assignment and its target.
    """

    member_id: str
    has: Held
    gives_up: Held
    gets: Held


@dataclass(frozen=True)
class OnTheWay:
    """`members`: those that are still moving to their target, as the coordinator reports them.

    `target_is_old`: whether the group has changed since the target was made (Assigning); another target follows.
    """

    members: tuple[Underway, ...]
    target_is_old: bool


def on_the_way(document: Document) -> OnTheWay:
    """Return the members that are still moving to their target; none where every member has it or no target is known."""
    members = tuple(_underway(member) for member in document.members or () if member.current is not None and member.owned is not None)
    epochs = document.group_epoch, document.assignment_epoch
    return OnTheWay(members, None not in epochs and epochs[0] > epochs[1])


def _underway(member: Member) -> Underway:
    return Underway(
        member.member_id, in_order(member.current), _without(member.current, member.owned), _without(member.owned, member.current)
    )


def _without(held: Held, other: Held) -> Held:
    return with_partitions({topic: sorted(set(held[topic]) - set(other.get(topic, ()))) for topic in sorted(held)})
