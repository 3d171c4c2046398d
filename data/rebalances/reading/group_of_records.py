"""The rebalances of one group, from the group's records in `__consumer_offsets`."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from evenkeel.assignors.group.snapshot import partition_name
from evenkeel.assignors.protocol import CLASSIC, CONSUMER
from evenkeel.data.live.wire.coordinator_records import (
    CURRENT,
    EPOCH,
    GROUP_METADATA,
    MEMBER,
    TARGET,
    TARGET_EPOCH,
    ClassicGroup,
    ConsumerMember,
    Current,
    Owned,
    Record,
)
from evenkeel.data.rebalances.event import Evidence, Member, Rebalance, Trigger
from evenkeel.data.rebalances.reading.classic_members import (
    living_generation,
    member_of,
    moves_between,
    owners_of,
    trigger_of_same_members,
    triggers_between,
)


class Generation(NamedTuple):
    """A generation of a classic group.

    `event`: the rebalance. `group`, `before`: the group after and before the rebalance, with the
    encoded subscriptions and assignments of its members.
    """

    event: Rebalance
    group: ClassicGroup
    before: ClassicGroup | None


class GroupOfRecords:
    """Reads the records of one group."""

    def __init__(self, name: str, completed: Callable[[Generation], None]):
        self.events: list[Rebalance] = []
        self._name, self._completed = name, completed
        self._classic: ClassicGroup | None = None
        self._last_generation: int | None = None
        self._epoch: int | None = None
        self._last_epoch: int | None = None
        self._hash: int | None = None
        self._members: dict[str, ConsumerMember] = {}
        self._before: dict[str, ConsumerMember] = {}
        self._newest: str | None = None
        self._targets: dict[str, Owned] = {}
        self._aimed: dict[str, Owned] | None = {}
        self._current: dict[str, Current] = {}
        self._names: dict[str, str] = {}
        self._is_converting = False
        self._open: list[Rebalance] = []
        self._unaimed: list[Rebalance] = []
        self._recent: list[Record] = []

    def take(self, record: Record) -> None:
        _HANDLERS[record.kind](self, record)

    def _add(self, event: Rebalance, record: Record) -> None:
        event.evidence.append(Evidence(record.place, record.at or 0))
        self.events.append(event)

    # Classic groups.

    def _take_classic(self, record: Record) -> None:
        now: ClassicGroup | None = record.value
        if now is None:
            self._last_generation = (
                living_generation(self._classic) if self._classic else self._last_generation
            )
            self._classic = None
            return
        before, self._classic = self._classic, now
        last = self._last_epoch
        if last is not None and now.generation in (last, last + 1):
            self._epoch = last
        self._last_epoch = None
        known = self._epoch
        if known is None and before:
            known = before.generation
        if now.generation == 0 or (known is not None and now.generation <= known):
            return
        event = Rebalance(
            self._name,
            CLASSIC,
            now.generation,
            now.generation - 1,
            source="offsets",
            completed=True,
        )
        event.joined = now.state_at if now.state_at is not None else record.at
        event.assigned = record.at if now.members else None
        event.members, event.leader, event.assignor = len(now.members), now.leader, now.protocol
        event.static_members = sum(member.instance_id is not None for member in now.members)
        event.roster = tuple(map(member_of, now.members))
        event.rebalance_timeout_ms = (
            max((member.rebalance_timeout_ms or 0 for member in now.members), default=0) or None
        )
        event.session_timeout_ms = max(
            (member.session_timeout_ms for member in now.members), default=None
        )
        is_known = now.generation == 1 or (known is not None and now.generation == known + 1)
        if is_known and self._epoch is None:
            self._compare(event, before, now, record)
        elif is_known:
            event.conversion = "consumer_to_classic"
            event.decide("protocol_converted")
        else:
            event.triggers.append(Trigger("unknown", None, record.place))
        self._epoch = None
        self._add(event, record)
        self._completed(Generation(event, now, before if is_known else None))

    def _compare(
        self, event: Rebalance, before: ClassicGroup | None, now: ClassicGroup, record: Record
    ) -> None:
        had = (
            {}
            if before is None
            else {member.instance_id or member.member_id: member for member in before.members}
        )
        has = {member.instance_id or member.member_id: member for member in now.members}
        event.members_joined = [member_of(member) for key, member in has.items() if key not in had]
        event.members_left = [member_of(member) for key, member in had.items() if key not in has]
        event.triggers = triggers_between(
            event.members_joined, event.members_left, None, record.place
        )
        if not event.triggers:
            event.triggers = [
                trigger_of_same_members(before, now, record.place)
                if before
                else Trigger("unknown", None, record.place)
            ]
        event.decide(event.triggers[0].cause, event.triggers[0].alternatives)
        if event.cause == "follow_up":
            event.follow_up_of = event.generation_before
        had_owners, owners = owners_of(before), owners_of(now)
        event.moved = moves_between(had_owners, owners)
        event.partitions, event.owned = len(owners), self._told_anew(event, had_owners)

    def _told_anew(self, event: Rebalance, owners: dict[str, str]) -> dict[str, str] | None:
        """Return `owners`, the owners before `event`, if they must be stored with `event`.

        None if the owners can be derived from the previous rebalance.
        """
        above = next(
            (
                rebalance
                for rebalance in reversed(self.events)
                if rebalance.generation < event.generation
            ),
            None,
        )
        return (
            owners
            if above is None or above.moved is None or above.generation != event.generation_before
            else None
        )

    # KIP-848 groups.

    def _take_member(self, record: Record) -> None:
        assert record.member
        self._recent.append(record)
        if record.value is None:
            self._members.pop(record.member, None)
            self._current.pop(record.member, None)
            return
        if record.member not in self._members:
            self._newest = record.member
        self._members[record.member] = record.value
        self._names[record.member] = (
            record.value.client_id or record.value.instance_id or record.member
        )

    def _take_epoch(self, record: Record) -> None:
        if record.value is None:
            self._end_epochs()
            return
        number, hash_value = record.value
        self._last_epoch = None
        last_generations = self._last_generation, living_generation(self._classic)
        if self._epoch is None and number in last_generations:
            # The conversion is no rebalance; the next epoch is.
            self._is_converting, self._epoch, self._hash = True, number, hash_value
            self._before, self._classic, self._last_generation = dict(self._members), None, None
            self._recent.clear()
            return
        if self._epoch is not None and number <= self._epoch:
            return
        self._bump(record, number, hash_value)

    def _end_epochs(self) -> None:
        """Remember the last epoch of a group that is deleted or becomes classic.

        If the group becomes classic, its next generation follows this epoch.
        """
        self._last_epoch = self._epoch if self._epoch is not None else self._last_epoch
        self._epoch = self._hash = self._last_generation = None
        self._members.clear()
        self._before.clear()
        self._open, self._unaimed = [], []

    def _bump(self, record: Record, number: int, hash_value: int | None) -> None:
        is_known = (self._epoch is None and number <= 2) or (
            self._epoch is not None and number == self._epoch + 1
        )
        before = self._epoch
        if before is None and number > 2:
            before = number - 1
        event = Rebalance(self._name, CONSUMER, number, before, start=record.at, source="offsets")
        event.members = len(self._members)
        event.roster = tuple(
            _consumer(member_id, member) for member_id, member in self._members.items()
        )
        event.rebalance_timeout_ms = max(
            (member.rebalance_timeout_ms for member in self._members.values()), default=None
        )
        event.static_members = sum(
            member.instance_id is not None for member in self._members.values()
        )
        event.evidence = [
            Evidence(entry.place, entry.at or 0) for entry in self._recent if entry.at == record.at
        ]
        if is_known:
            self._compare_members(event, record, hash_value)
        else:
            event.triggers = [Trigger("unknown", record.at, record.place)]
        if self._is_converting:
            event.conversion = "classic_to_consumer"
            newest = self._members.get(self._newest or "")
            event.triggers.sort(
                key=lambda pair: (
                    newest is None or pair.member is None or pair.member.member_id != self._newest
                )
            )
            event.decide("protocol_converted")
            self._is_converting = False
        self._epoch, self._hash, self._before = number, hash_value, dict(self._members)
        self._recent.clear()
        self._add(event, record)
        self._open.append(event)
        self._unaimed.append(event)

    def _compare_members(self, event: Rebalance, record: Record, hash_value: int | None) -> None:
        had = {
            entry.instance_id or member_id: (member_id, entry)
            for member_id, entry in self._before.items()
        }
        has = {
            entry.instance_id or member_id: (member_id, entry)
            for member_id, entry in self._members.items()
        }
        event.members_joined = [_consumer(*pair) for key, pair in has.items() if key not in had]
        event.members_left = [_consumer(*pair) for key, pair in had.items() if key not in has]
        event.triggers = triggers_between(
            event.members_joined, event.members_left, record.at, record.place
        )
        changed = [
            pair
            for key, pair in has.items()
            if key in had and _topics(pair[1]) != _topics(had[key][1])
        ]
        event.triggers += [
            Trigger("subscription_changed", record.at, record.place, _consumer(*pair))
            for pair in changed
        ]
        if not event.triggers:
            event.triggers = [self._by_hash(record, hash_value)]
        event.decide(event.triggers[0].cause, event.triggers[0].alternatives)

    def _by_hash(self, record: Record, hash_value: int | None) -> Trigger:
        if hash_value is not None and hash_value != self._hash:
            return Trigger("metadata_changed", record.at, record.place)
        return Trigger(
            "unknown", record.at, record.place, None, ("metadata_changed", "subscription_changed")
        )

    def _take_target(self, record: Record) -> None:
        assert record.member
        if record.value is None:
            self._targets.pop(record.member, None)
        else:
            self._targets[record.member] = record.value

    def _take_target_epoch(self, record: Record) -> None:
        if record.value is None:
            self._targets.clear()
            self._aimed = {}
            return
        reached = [event for event in self._unaimed if event.generation <= record.value.number]
        self._unaimed = [event for event in self._unaimed if event.generation > record.value.number]
        for place, event in enumerate(reached):
            event.joined = record.at
            event.evidence.append(Evidence(record.place, record.at or 0))
            is_last = place == len(reached) - 1
            event.moved = self._target_moves() if is_last else []
            event.partitions = sum(
                len(numbers) for owned in self._targets.values() for numbers in owned.values()
            )
            event.owned = self._told_anew(event, self._by_partition(self._aimed or {}))
        self._aimed = {member: dict(owned) for member, owned in self._targets.items()}
        self._settle(record)

    def _target_moves(self) -> list[tuple[str, str | None, str | None]] | None:
        if self._aimed is None:
            return None
        return moves_between(self._by_partition(self._aimed), self._by_partition(self._targets))

    def _by_partition(self, targets: Mapping[str, Owned]) -> dict[str, str]:
        return {
            partition_name(topic, number): self._names.get(member, member)
            for member, owned in targets.items()
            for topic, numbers in owned.items()
            for number in numbers
        }

    def _take_current(self, record: Record) -> None:
        assert record.member
        if record.value is None:
            self._current.pop(record.member, None)
        else:
            self._current[record.member] = record.value
        self._settle(record)

    def _settle(self, record: Record) -> None:
        """Mark open epochs as stable if every member is STABLE and has reached the epoch."""
        if not self._open or any(each_id not in self._current for each_id in self._members):
            return
        currents = [self._current[each_id] for each_id in self._members]
        reached = min((current.epoch for current in currents), default=None)
        if any(current.state for current in currents):
            return
        for event in self._open:
            if (reached is None or event.generation <= reached) and event.joined is not None:
                event.stable, event.completed = record.at, True
        self._open = [event for event in self._open if event.stable is None]


_HANDLERS: dict[int, Callable[[GroupOfRecords, Record], None]] = {
    GROUP_METADATA: GroupOfRecords._take_classic,
    EPOCH: GroupOfRecords._take_epoch,
    MEMBER: GroupOfRecords._take_member,
    TARGET: GroupOfRecords._take_target,
    TARGET_EPOCH: GroupOfRecords._take_target_epoch,
    CURRENT: GroupOfRecords._take_current,
}


def _consumer(member_id: str, member: ConsumerMember) -> Member:
    return Member(member_id, member.client_id or None, member.instance_id)


def _topics(member: ConsumerMember) -> tuple:
    return member.topics, member.regex
