"""The share groups' assignor as the specification words it (6.5), one partition after the other."""

from math import ceil

from tests.literal.broker_input import LiteralError, LiteralInput, Uuid, uuid_hash
from tests.literal.containers import HashMap, HashSet

Holdings = dict[str, dict[str, set[int]]]


def literal_simple(document: dict) -> Holdings:
    """Return what every member of the result has."""
    source = LiteralInput(document)
    if not source.members:
        return {}
    held = _equal(source) if source.equal else _differing(source)
    answer: Holdings = {member: {} for member in source.members}
    for number, (id, partition) in held:
        answer[source.members[number]].setdefault(source.name_of[id], set()).add(partition)
    return answer


def _equal(source: LiteralInput) -> set[tuple[int, tuple[Uuid, int]]]:
    topics = source.view(source.members[0])
    targets = [(id, number) for id in topics for number in range(source.size[id])]
    had = [
        [
            (id, number)
            for id, numbers in source.stored[member].items()
            if id in topics
            for number in numbers
        ]
        for member in source.members
    ]
    return _share(
        had, list(range(len(source.members))), targets, lambda key: 31 * uuid_hash(key[0]) + key[1]
    )


def _differing(source: LiteralInput) -> set[tuple[int, tuple[Uuid, int]]]:
    views = [source.view(member) for member in source.members]
    topics = {id for view in views for id in view}
    if not topics:
        return set()
    stored = [source.stored[member] for member in source.members]
    held = {
        (number, (id, partition))
        for number, map in enumerate(stored)
        for id, partitions in map.items()
        if id not in topics
        for partition in partitions
    }
    for id in topics:
        had = [[(id, partition) for partition in (map.get(id) or ())] for map in stored]
        subscribers = [number for number, view in enumerate(views) if id in view]
        held |= _share(
            had,
            subscribers,
            [(id, partition) for partition in range(source.size[id])],
            lambda key: key[1],
        )
    return held


def _share(had, members, targets, key_hash) -> set[tuple[int, tuple[Uuid, int]]]:
    sharing = -(-len(members) // len(targets)) if targets else 0
    each = sharing * len(targets) / len(members)
    want = [0] * len(had)
    for place, member in enumerate(members):
        want[member] = ceil(each * (place + 1)) - ceil(each * place)
    holders = HashMap(key_hash, int((len(targets) + 1) / 0.75 + 1))
    have = [HashSet(key_hash) for _ in had]
    for member, keys in enumerate(had):
        for key in keys:
            holders.compute_if_absent(key, lambda: HashSet(int)).add(member)
            have[member].add(key)
    for member, keys in enumerate(have):
        for key in list(keys)[: max(len(keys) - want[member], 0)]:
            keys.remove(key)
            holders[key].remove(member)
    for key in holders:
        for member in list(holders[key])[: max(len(holders[key]) - sharing, 0)]:
            holders[key].remove(member)
            have[member].remove(key)
    for key in targets:
        holders.compute_if_absent(key, lambda: HashSet(int))
    _fill(
        holders,
        have,
        want,
        sharing,
        [member for member in members if len(have[member]) < want[member]],
    )
    return {(member, key) for member, keys in enumerate(have) for key in keys}


def _fill(holders, have, want, sharing, line):
    cursor, gave = 0, False
    for key in list(holders):
        need = sharing - len(holders[key])
        while need > 0:
            if cursor == len(line):
                if not gave:
                    break
                if not line:
                    raise LiteralError("NoSuchElementException")
                cursor, gave = 0, False
            member = line[cursor]
            cursor += 1
            if member not in holders[key]:
                have[member].add(key)
                need, gave = need - 1, True
                if len(have[member]) >= want[member]:
                    cursor -= 1
                    line.pop(cursor)
        if not line:
            return
