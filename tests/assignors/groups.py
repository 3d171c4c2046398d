"""Small groups spelled in words: `group({"t0": 3}, A="t0", B="t0")`, answers as `{"A": "t0-0 t0-1",
"B": "t0-2"}`.
"""

from dataclasses import dataclass

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.group import NO_GENERATION, NO_RACK, UNKNOWN, GroupSnapshot


@dataclass(frozen=True)
class Member:
    """What a member says: topics separated by blanks, claims such as `t0-0 t0-4`; of `t1-` it owns
    no partition.
    """

    topics: str = ""
    instance: str | None = None
    rack: str | None = None
    owned: str = ""
    generation: int = NO_GENERATION


def group(
    topics: dict[str, int],
    /,
    members: dict[str, Member | str] | None = None,
    *,
    lag=(),
    begin=(),
    end=(),
    committed=(),
    reset=None,
    racks=None,
    ids=None,
    **by_keyword,
):
    """Build a snapshot.

    `lag`, `begin`, `end`, `committed`: one value for each partition, in topic name order, None
    where not known; empty where none is. `racks`: for each topic a list with the replicas' racks of
    each partition, such as `{"t0": ["a b", "b"]}`; `-` is a replica without rack. `ids`: {topic:
    (msb, lsb)}.
    """
    members = {
        name: member if isinstance(member, Member) else Member(member)
        for name, member in {**(members or {}), **by_keyword}.items()
    }
    names = sorted({*topics}.union(*map(_named, members.values())))
    sizes = np.array([topics.get(name, 0) for name in names], dtype=np.int64)
    rack_names, replica_start, replica_rack = _racks(names, sizes, racks or {}, members)
    row_of = {name: row for row, name in enumerate(names)}
    rows_of = {
        topics: tuple(sorted(row_of[name] for name in topics.split()))
        for topics in {member.topics for member in members.values()}
    }
    lists = sorted(set(rows_of.values()))
    claims = [
        (row, row_of[name], partition)
        for row, member in enumerate(members.values())
        for name, partition in parsed(member.owned)
    ]
    ids = ids or {}
    return GroupSnapshot(
        topic_name=tuple(names),
        topic_known=np.array([name in topics for name in names], dtype=bool),
        partition_count=sizes,
        topic_id=np.array([ids.get(name, (0, 0)) for name in names], dtype=np.int64).reshape(-1, 2),
        topic_id_known=np.array([name in ids for name in names], dtype=bool),
        begin_offset=_offsets(begin, sizes),
        end_offset=_offsets(end, sizes),
        committed_offset=_offsets(committed, sizes),
        given_lag=_offsets(lag, sizes),
        rack_name=rack_names,
        replica_start=replica_start,
        replica_rack=replica_rack,
        member_id=tuple(members),
        instance_id=tuple(member.instance for member in members.values()),
        member_rack=np.array(
            [
                rack_names.index(member.rack) if member.rack else NO_RACK
                for member in members.values()
            ],
            dtype=np.int32,
        ),
        generation=np.array([member.generation for member in members.values()], dtype=np.int32),
        topic_lists=tuple(np.array(rows, dtype=np.int32) for rows in lists),
        subscription=np.array(
            [lists.index(rows_of[member.topics]) for member in members.values()], dtype=np.int32
        ),
        claim_member=np.array([claim[0] for claim in claims], dtype=np.int32),
        claim_topic=np.array([claim[1] for claim in claims], dtype=np.int32),
        claim_partition=np.array([claim[2] for claim in claims], dtype=np.int32),
        auto_offset_reset=reset,
        owned_empty=_owned_empty(members.values(), row_of),
        has_empty_rack=_empty_racks(members.values()),
    )


def _empty_racks(members) -> np.ndarray | None:
    return (
        np.array([member.rack == "" for member in members])
        if any(member.rack == "" for member in members)
        else None
    )


def assignment(snapshot: GroupSnapshot, **owned: str) -> Assignment:
    """Build the assignment in which A owns `A="t0-0 t0-4"`; a further owner and a partition beyond
    the topic's size become `extra`.
    """
    owner = np.full(snapshot.tp_count, UNASSIGNED, dtype=np.int32)
    extra = []
    for member_id, tps in owned.items():
        member = snapshot.member_id.index(member_id)
        for name, partition in parsed(tps):
            topic = snapshot.topic_name.index(name)
            tp = snapshot.first_tp[topic] + partition
            if partition < snapshot.partition_count[topic] and owner[tp] == UNASSIGNED:
                owner[tp] = member
            else:
                extra.append((member, topic, partition))
    return Assignment(owner, np.array(extra, dtype=np.int32).reshape(-1, 3))


def spelled(snapshot: GroupSnapshot, answer: Assignment) -> dict[str, str]:
    """Spell an answer: {"A": "t0-0 t0-1"}, by topic and partition, "" for a member without
    partitions.
    """
    rows = [
        (member, int(snapshot.tp_topic[tp]), int(snapshot.tp_partition[tp]))
        for tp, member in enumerate(answer.owner.tolist())
        if member != UNASSIGNED
    ]
    rows = sorted(rows + [tuple(row) for row in answer.extra.tolist()])
    return {
        name: " ".join(
            f"{snapshot.topic_name[topic]}-{partition}"
            for member, topic, partition in rows
            if member == row
        )
        for row, name in enumerate(snapshot.member_id)
    }


def tps(runs: str) -> str:
    """Spell runs out: `t1,t2-0,1 t3-0..2` as `t1-0 t1-1 t2-0 t2-1 t3-0 t3-1 t3-2`, sorted by topic
    and partition.
    """
    rows = []
    for run in runs.split():
        names, _, numbers = run.rpartition("-")
        rows += [
            (name, partition)
            for name in names.split(",")
            for number in numbers.split(",")
            for partition in _run(number)
        ]
    return " ".join(f"{name}-{partition}" for name, partition in sorted(rows))


def _run(numbers: str) -> range:
    first, _, last = numbers.partition("..")
    return range(int(first), int(last or first) + 1)


def parsed(tps: str) -> list[tuple[str, int]]:
    """Read `t0-0 t0-4`."""
    return [
        (name, int(partition))
        for name, _, partition in (tp.rpartition("-") for tp in tps.split())
        if partition
    ]


def by_topic(tps: str) -> dict[str, list[int]]:
    """Read `t0-0 t0-4` as a document says what a member owns: {"t0": [0, 4]}."""
    owned: dict[str, list[int]] = {}
    for name, partition in parsed(tps):
        owned.setdefault(name, []).append(partition)
    return owned


def _owned_empty(members, row_of: dict[str, int]) -> np.ndarray:
    rows = []
    for row, member in enumerate(members):
        topics = dict.fromkeys(tp.rpartition("-")[0] for tp in member.owned.split())
        rows += [
            (row, row_of[name], place)
            for place, name in enumerate(topics)
            if f"{name}-" in member.owned.split()
        ]
    return np.array(rows, dtype=np.int32).reshape(-1, 3)


def _named(member: Member) -> list[str]:
    return member.topics.split() + [name for name, _ in parsed(member.owned)]


def _offsets(values, sizes: np.ndarray) -> np.ndarray:
    if not values:
        return np.full(sizes.sum(), UNKNOWN)
    return np.array([UNKNOWN if value is None else value for value in values], dtype=np.int64)


def _racks(names, sizes, racks, members):
    replicas = [
        line.split()
        for name, size in zip(names, sizes, strict=False)
        for line in racks.get(name) or [""] * size
    ]
    distinct = tuple(
        sorted(
            {rack for line in replicas for rack in line} - {"-"}
            | {member.rack for member in members.values() if member.rack}
        )
    )
    start = np.concatenate(
        ([0], np.cumsum([len(line) for line in replicas], dtype=np.int32)), dtype=np.int32
    )
    return (
        distinct,
        start,
        np.array(
            [
                NO_RACK if rack == "-" else distinct.index(rack)
                for line in replicas
                for rack in line
            ],
            dtype=np.int32,
        ),
    )
