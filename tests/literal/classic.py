"""Range, round-robin and lag as the specification words them: dictionaries, one partition after the
other, as slow as can be trusted at sight.
"""

from dataclasses import dataclass, field

from evenkeel.assignors.group import NO_RACK, UNKNOWN
from tests.literal.hash_map import LiteralHashMap


@dataclass
class PlainMember:
    member_id: str
    instance_id: str | None
    rack: str | None
    topics: list[str]


@dataclass
class PlainGroup:
    """Members in the order of the map that holds the subscriptions; topics that exist with one
    entry of replica racks for each partition.
    """

    members: list[PlainMember]
    racks: dict[str, list[set[str]]]
    lag: dict[tuple[str, int], int]


def hash_code(text: str) -> int:
    result = 0
    for unit in memoryview(text.encode("utf-16-le", "surrogatepass")).cast("H"):
        result = (31 * result + unit) % 2**32
    return result


def plain(snapshot) -> PlainGroup:
    """Read a snapshot back into names."""
    subscriptions = LiteralHashMap()
    for row, name in enumerate(snapshot.member_id):
        subscriptions.put(row, hash_code(name))
    members = []
    for row in subscriptions:
        rack = snapshot.member_rack[row]
        topics = [
            snapshot.topic_name[topic] for topic in snapshot.topic_lists[snapshot.subscription[row]]
        ]
        members.append(
            PlainMember(
                snapshot.member_id[row],
                snapshot.instance_id[row],
                None if rack == NO_RACK else snapshot.rack_name[rack],
                topics,
            )
        )
    racks, lag = {}, {}
    for topic, name in enumerate(snapshot.topic_name):
        for partition in range(int(snapshot.partition_count[topic])):
            tp = int(snapshot.first_tp[topic]) + partition
            here = snapshot.replica_rack[
                snapshot.replica_start[tp] : snapshot.replica_start[tp + 1]
            ]
            racks.setdefault(name, []).append(
                {snapshot.rack_name[rack] for rack in here if rack != NO_RACK}
            )
            lag[name, partition] = _lag(snapshot, tp)
    return PlainGroup(members, racks, lag)


def _lag(snapshot, tp: int) -> int:
    if snapshot.given_lag[tp] != UNKNOWN:
        return int(snapshot.given_lag[tp])
    end, begin, committed = (
        max(int(column[tp]), 0)
        for column in (snapshot.end_offset, snapshot.begin_offset, snapshot.committed_offset)
    )
    if snapshot.committed_offset[tp] != UNKNOWN:
        return max(end - committed, 0)
    return (
        0
        if snapshot.auto_offset_reset is None or snapshot.auto_offset_reset.lower() == "latest"
        else max(end - begin, 0)
    )


def java_order(text: str) -> bytes:
    return text.encode("utf-16-be", "surrogatepass")


def in_member_info_order(members: list[PlainMember]) -> list[PlainMember]:
    return sorted(
        members,
        key=lambda member: (
            (0, java_order(member.instance_id))
            if member.instance_id is not None
            else (1, java_order(member.member_id))
        ),
    )


def literal_roundrobin(group: PlainGroup) -> dict[str, list[tuple[str, int]]]:
    ring = in_member_info_order(group.members)
    answer = {member.member_id: [] for member in ring}
    pointer = 0
    for topic in sorted({topic for member in ring for topic in member.topics}):
        for partition in range(len(group.racks.get(topic, []))):
            while topic not in ring[pointer].topics:
                pointer = (pointer + 1) % len(ring)
            answer[ring[pointer].member_id].append((topic, partition))
            pointer = (pointer + 1) % len(ring)
    return answer


def literal_lag(group: PlainGroup) -> dict[str, list[tuple[str, int]]]:
    answer = {member.member_id: [] for member in group.members}
    for topic, partitions in group.racks.items():
        subscribers = [member.member_id for member in group.members if topic in member.topics]
        count, total = dict.fromkeys(subscribers, 0), dict.fromkeys(subscribers, 0)
        for partition in sorted(
            range(len(partitions)), key=lambda partition: (-group.lag[topic, partition], partition)
        ):
            if subscribers:
                taker = min(
                    subscribers,
                    key=lambda member: (count[member], total[member], java_order(member)),
                )
                answer[taker].append((topic, partition))
                count[taker] += 1
                total[taker] += group.lag[topic, partition]
    return answer


@dataclass
class TopicState:
    """One topic of range: what is unassigned, how much each consumer has."""

    topic: str
    racks: list[set[str]]
    consumers: dict[str, str | None]
    assigned: dict[str, int] = field(init=False)
    unassigned: list[int] = field(init=False)

    def __post_init__(self):
        self.assigned = dict.fromkeys(self.consumers, 0)
        self.unassigned = list(range(len(self.racks)))
        self.base, self.extra = (
            divmod(len(self.racks), len(self.consumers)) if self.consumers else (0, 0)
        )
        self.consumer_racks = {rack for rack in self.consumers.values() if rack is not None}
        self.all_racks = set().union(*self.racks) if self.consumer_racks else set()

    @property
    def needs_racks(self) -> bool:
        return bool(self.consumer_racks & self.all_racks) and any(
            racks != self.all_racks for racks in self.racks
        )

    def capacity(self, consumer: str) -> int:
        return max(0, self.base + (1 if self.extra > 0 else 0) - self.assigned[consumer])

    def match(self, consumer: str, partition: int) -> bool:
        return self.consumers[consumer] is None or self.consumers[consumer] in self.racks[partition]

    def give(self, consumer: str, partitions: list[int], answer):
        answer[consumer] += [(self.topic, partition) for partition in partitions]
        self.unassigned = [
            partition for partition in self.unassigned if partition not in partitions
        ]
        self.assigned[consumer] += len(partitions)
        if self.assigned[consumer] > self.base:
            self.extra -= 1

    def ranges(self, may_assign, answer):
        for consumer in self.consumers:
            partitions = [
                partition for partition in self.unassigned if may_assign(consumer, partition)
            ][: self.capacity(consumer)]
            if partitions:
                self.give(consumer, partitions, answer)


def literal_range(group: PlainGroup) -> dict[str, list[tuple[str, int]]]:
    ordered = in_member_info_order(group.members)
    answer = {member.member_id: [] for member in ordered}
    states = [
        TopicState(
            topic,
            racks,
            {member.member_id: member.rack for member in ordered if topic in member.topics},
        )
        for topic, racks in group.racks.items()
    ]
    if any(state.needs_racks for state in states):
        alike = {}
        for state in states:
            alike.setdefault(
                (tuple(state.consumers.items()), len(state.racks) if state.consumer_racks else 0),
                [],
            ).append(state)
        for (_, partition_count), together in alike.items():
            if len(together) > 1:
                _co_partitioned(together, partition_count, answer)
            elif together[0].needs_racks:
                together[0].ranges(together[0].match, answer)
    for state in states:
        state.ranges(lambda consumer, partition: True, answer)
    return answer


def _co_partitioned(states: list[TopicState], partition_count: int, answer):
    candidates = list(states[0].consumers)
    for partition in range(partition_count):
        for consumer in candidates:
            if all(
                state.match(consumer, partition) and state.capacity(consumer) > 0
                for state in states
            ):
                for state in states:
                    state.give(consumer, [partition], answer)
                if all(state.capacity(consumer) == 0 for state in states):
                    candidates.remove(consumer)
                break
