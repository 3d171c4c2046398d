"""What happens to real groups while predictions are compared: the same changes at the same time,
group by group.
"""

from collections.abc import Callable, Mapping, Sequence

from evenkeel.data.group.document import Document
from tests.brokers.predictions.change import Change
from tests.brokers.predictions.differences import Turn
from tests.brokers.predictions.group import About, Cluster, Group
from tests.brokers.predictions.kinds import JAVA, Kind
from tests.brokers.predictions.rest import at_rest

Act = Callable[[Group, Document], Change]

CHANGED = [
    *(
        Kind(JAVA, assignor, is_equal)
        for assignor in ("sticky", "cooperative-sticky", "uniform")
        for is_equal in (True, False)
    ),
    *(Kind(JAVA, assignor) for assignor in ("range", "roundrobin", "broker-range")),
]
"""Groups that lose a member, get it back, grow and get a new one."""

RESTARTED = [Kind(JAVA, assignor) for assignor in ("cooperative-sticky", "uniform")]
"""Groups whose members restart, one after the other; one group of dynamic and one of static members
each.
"""

_RACKS = ("a", "b", "c")


def made(
    cluster: Cluster, name: str, kind: Kind, member_count: int, is_static: bool = False
) -> Group:
    """Return a group with two topics and its first members."""
    places = {
        f"{name}-t{row}": [[1 + number % 3] for number in range(size)]
        for row, size in enumerate((7, 4))
    }
    group = Group(cluster, name, kind, places)
    for number in range(member_count):
        group.start(_about(group, number, is_static))
    return group


def changes() -> list[Act]:
    """Return the changes of a group with three members: one leaves, comes back, the first topic
    grows, a fourth member joins.
    """
    return [
        lambda group, document: group.remove(document, _name(group, 1)),
        lambda group, document: group.join(document, _about(group, 1)),
        lambda group, document: group.grow(next(iter(group.sizes)), [[2], [3]]),
        lambda group, document: group.join(document, _about(group, 3)),
    ]


def restarts(count: int) -> list[Act]:
    """Return a rolling restart of the first members: each leaves, and comes back when the others
    rest.
    """
    found: list[Act] = []
    for number in range(count):
        found += [
            lambda group, document, number=number: group.remove(document, _name(group, number)),
            lambda group, document, number=number: group.join(document, _about(group, number)),
        ]
    return found


def static_restarts(count: int) -> list[Act]:
    """Return a rolling restart of the first members, which are static: each stops and is back at
    once.
    """
    return [
        lambda group, document, number=number: group.restart(document, _name(group, number))
        for number in range(count)
    ]


def carried_out(
    cluster: Cluster, scripts: Mapping[str, tuple[Group, Sequence[Act]]]
) -> dict[str, list[Turn]]:
    """Carry out the scripts of all groups at the same time; return the turns of each."""
    turns: dict[str, list[Turn]] = {name: [] for name in scripts}
    documents = at_rest(cluster.connection, [group for group, _ in scripts.values()])
    for number in range(max(len(acts) for _, acts in scripts.values())):
        active = {
            name: (group, acts[number])
            for name, (group, acts) in scripts.items()
            if number < len(acts)
        }
        had = {name: group.generation() for name, (group, _) in active.items()}
        done = {name: act(group, documents[name]) for name, (group, act) in active.items()}
        for change in done.values():
            change.act()
        gone = {
            name: change.edits[0]["member_ids"][0]
            for name, change in done.items()
            if "member_ids" in change.edits[0]
        }
        after = at_rest(cluster.connection, [group for group, _ in active.values()], gone)
        for name, (group, _) in active.items():
            turns[name].append(
                Turn(documents[name], done[name], after[name], (had[name], group.generation()))
            )
        documents |= after
    return turns


def _about(group: Group, number: int, is_static: bool = False) -> About:
    name, topics = _name(group, number), sorted(group.sizes)
    some = topics if group.kind.is_equal or number != 2 else topics[:1]
    return About(name, tuple(some), _RACKS[number % 3], f"i-{name}" if is_static else None)


def _name(group: Group, number: int) -> str:
    return f"{group.group_id}-{number}"
