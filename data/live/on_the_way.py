"""On the way: what members of a KIP-848 group have yet to give up and to get."""

from dataclasses import dataclass

from data.document import Document, Held, Member, in_order, with_partitions


@dataclass(frozen=True)
class Underway:
    """One member whose assignment is not its target: partition numbers by topic, ascending. `gives_up` and `gets` are the difference between what it `has` and its target."""

    member_id: str
    has: Held
    gives_up: Held
    gets: Held


@dataclass(frozen=True)
class OnTheWay:
    """`members`: those on their way, as the coordinator reports them. `target_is_old`: whether the group has changed since the target was made (Assigning), so that another one comes."""

    members: tuple[Underway, ...]
    target_is_old: bool


def on_the_way(document: Document) -> OnTheWay:
    """Return who is on the way to the target, nobody where every member has it or no target is known."""
    members = tuple(_underway(member) for member in document.members or () if member.current is not None and member.owned is not None)
    epochs = document.group_epoch, document.assignment_epoch
    return OnTheWay(members, None not in epochs and epochs[0] > epochs[1])


def _underway(member: Member) -> Underway:
    return Underway(
        member.member_id, in_order(member.current), _without(member.current, member.owned), _without(member.owned, member.current)
    )


def _without(held: Held, other: Held) -> Held:
    return with_partitions({topic: sorted(set(held[topic]) - set(other.get(topic, ()))) for topic in sorted(held)})
