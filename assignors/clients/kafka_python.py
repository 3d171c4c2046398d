"""kafka-python: range, roundrobin, sticky and cooperative-sticky. Range and roundrobin leave some
members without partitions.

Reproduces `RangePartitionAssignor`, `RoundRobinPartitionAssignor`, `StickyPartitionAssignor` and
`CooperativeStickyAssignor` of kafka-python 3.0.12.
"""

import re
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment, AssignorError
from evenkeel.assignors.clients.client import (
    COOPERATIVE_STICKY,
    EAGER,
    STICKY,
    Client,
    ClientAssignor,
    Layout,
    PackagedAssignor,
    SentSubscription,
    Settings,
    WrittenAssignment,
    by_name,
)
from evenkeel.assignors.clients.python_sticky import PYTHON_SETS, VERSION_1, assign_python_sticky
from evenkeel.assignors.clients.strategies import withholding
from evenkeel.assignors.group import NO_TP, GroupSnapshot
from evenkeel.assignors.group.dealing.ranges import even_ranges
from evenkeel.assignors.group.dealing.rings import deal_and_tell
from evenkeel.assignors.kafka.lag_based import LagBasedAssignor

_PACKAGED = (
    PackagedAssignor(
        "lag", LagBasedAssignor, "evenkeel_assignors.kafka_python", "LagAssignor(settings)"
    ),
    PackagedAssignor(
        "cooperative-lag",
        LagBasedAssignor,
        "evenkeel_assignors.kafka_python",
        "CooperativeLagAssignor(settings)",
        version=2,
        is_cooperative=True,
    ),
)


@dataclass(frozen=True)
class KafkaPythonRangeAssignor(ClientAssignor):
    """The `range` strategy. For each topic, only some subscribers get partitions."""

    client: ClassVar[str] = "kafka-python"
    name: ClassVar[str] = "range"
    quirks: ClassVar[tuple[str, ...]] = ("Q-31", "Q-10")
    quirk_owner: ClassVar[str] = "kafka-python's range and roundrobin"
    uses_member_order: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return the owners."""
        reported = group.subscribers_in(np.arange(group.member_count, dtype=np.int32))
        members = tuple(_taking_part(group, each) for each in reported.members)
        count = np.array([each.size for each in members])[reported.set_of_topic]
        return Assignment(
            even_ranges(group, reported._replace(members=members, count_of_topic=count))
        )


@dataclass(frozen=True)
class KafkaPythonRoundRobinAssignor(ClientAssignor):
    """The `roundrobin` strategy, for members with equal subscriptions."""

    client: ClassVar[str] = "kafka-python"
    name: ClassVar[str] = "roundrobin"
    quirks: ClassVar[tuple[str, ...]] = ("Q-31", "Q-10")
    quirk_owner: ClassVar[str] = "kafka-python's range and roundrobin"
    uses_member_order: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return the owners.

        Raises
        ------
        AssignorError
            `KeyError` if it is the turn of a member that does not subscribe to the topic.
            kafka-python should skip this member, but it uses the wrong key. The group then stays in
            CompletingRebalance.
        """
        owner = group.unowned()
        tps = np.flatnonzero(group.in_play[group.tp_topic])
        members = _taking_part(group, np.arange(group.member_count, dtype=np.int32))
        dealt = np.empty(tps.size, dtype=np.int32)
        if tps.size:
            deal_and_tell(dealt, members, tps)
        _require_listed(group, dealt, group.tp_topic[tps])
        owner[tps] = dealt
        return Assignment(owner)


def _require_listed(group: GroupSnapshot, members: np.ndarray, topics: np.ndarray) -> None:
    foreign = np.flatnonzero(~group.is_listed[group.subscription[members], topics])
    if foreign.size:
        member, topic = group.member_id[members[foreign[0]]], group.topic_name[topics[foreign[0]]]
        raise AssignorError(
            "KeyError",
            f"roundrobin: it is the turn of {member}, which does not subscribe to {topic}, expected"
            " a subscriber",
        )


def _taking_part(group: GroupSnapshot, members: np.ndarray) -> np.ndarray:
    """Return the members that get partitions, int32: static members, sorted, then dynamic members,
    sorted.

    kafka-python splits `members` (int32, in the order reported) into runs of static or dynamic
    members with `itertools.groupby`, and stores the runs in a dictionary. So only members of the
    last run of each kind get partitions.
    """
    rows = members.tolist()
    last = {
        is_static: list(run)
        for is_static, run in groupby(rows, lambda row: group.instance_id[row] is not None)
    }
    static = sorted(
        last.get(True, []), key=lambda row: (group.instance_id[row], group.member_id[row])
    )
    dynamic = sorted(last.get(False, []), key=lambda row: group.member_id[row])
    return np.array(static + dynamic, dtype=np.int32)


@dataclass(frozen=True)
class KafkaPythonStickyAssignor(ClientAssignor):
    """The `sticky` strategy. Members report their owned partitions in the user data. The layout is
    kafka-python's own.
    """

    client: ClassVar[str] = "kafka-python"
    name: ClassVar[str] = "sticky"
    quirks: ClassVar[tuple[str, ...]] = ("Q-10",)
    quirk_owner: ClassVar[str] = "kafka-python's sticky"
    uses_generations: ClassVar[bool] = True
    uses_member_order: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return the owners."""
        return assign_python_sticky(group, moves_both=True)


@dataclass(frozen=True)
class KafkaPythonCooperativeStickyAssignor(ClientAssignor):
    """The `cooperative-sticky` strategy. A moving partition is withheld until its old owner has
    revoked it.
    """

    client: ClassVar[str] = "kafka-python"
    name: ClassVar[str] = "cooperative-sticky"
    quirks: ClassVar[tuple[str, ...]] = ("Q-10",)
    quirk_owner: ClassVar[str] = "kafka-python's cooperative-sticky"
    is_cooperative: ClassVar[bool] = True
    uses_generations: ClassVar[bool] = True
    uses_member_order: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return the owners after this round, and the withheld partitions. A partition is withheld
        if the last member that claims it, in the order reported, is not its new owner.
        """
        answer = assign_python_sticky(group, moves_both=True)
        claimant = group.unowned()
        exists = group.claim_tp != NO_TP
        # The last claimant of a partition remains, as in Python's dictionary.
        claimant[group.claim_tp[exists]] = group.claim_member[exists]
        (moving,) = (
            (claimant != UNASSIGNED) & (answer.owner != UNASSIGNED) & (claimant != answer.owner)
        ).nonzero()
        return withholding(answer, moving)


def _sends(sent: SentSubscription, protocol: str) -> bool:
    if own := CLIENT.package_of(protocol):
        return own.sends(sent)
    if sent.version == 1:
        return protocol == COOPERATIVE_STICKY and sent.owned is not None and sent.user_data == b""
    if sent.version != 0 or sent.user_data is None:
        return False
    return (
        protocol == STICKY and sent.user_data[:2] == VERSION_1
        if sent.user_data
        else protocol in (*EAGER, STICKY)
    )


def _writes(assignment: WrittenAssignment, protocol: str) -> bool:
    own = CLIENT.package_of(protocol)
    return (assignment.version, assignment.user_data) == (
        own.version if own else int(protocol == COOPERATIVE_STICKY),
        b"",
    )


CLIENT = Client(
    name="kafka-python",
    assignors=by_name(
        KafkaPythonRangeAssignor,
        KafkaPythonRoundRobinAssignor,
        KafkaPythonStickyAssignor,
        KafkaPythonCooperativeStickyAssignor,
    ),
    assumes=(PYTHON_SETS,),
    differs=(STICKY, COOPERATIVE_STICKY),
    releases="3",
    default_client_id=re.compile("kafka-python-.*"),
    sends=_sends,
    writes=_writes,
    sticky_layouts=(Layout.VERSION_FIRST,),
    settings=Settings(
        "partition_assignment_strategy=[{}]",
        # 3.0.12 refuses a list with eager and cooperative assignors.
        names={
            "range": "RangePartitionAssignor",
            "roundrobin": "RoundRobinPartitionAssignor",
            STICKY: "StickyPartitionAssignor",
            COOPERATIVE_STICKY: "CooperativeStickyAssignor",
        },
        between=", ",
        language="python",
        release="kafka-python 3.0",
    ),
    packaged=_PACKAGED,
)
