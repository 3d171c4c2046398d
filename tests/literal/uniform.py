"""Both uniform builders and the broker's range as the specification words them (6.2 to 6.4), one
partition after the other.
"""

from math import ceil

from tests.literal.broker_input import Answer, LiteralError, LiteralInput, Uuid, record, uuid_hash
from tests.literal.containers import HashMap, HashSet

Record = dict[str, dict[str, list[int]]]


def literal_uniform(document: dict, gives_back: bool = True) -> Record:
    """Return the record of every member of the result."""
    source = LiteralInput(document)
    if not source.members:
        return {}
    answers = _equal(source, gives_back) if source.equal else _Differing(source).assigned()
    return record(source, {member: answer.topics for member, answer in answers.items()})


def _equal(source: LiteralInput, gives_back: bool) -> dict[str, Answer]:
    first = source.members[0]
    topics = HashSet.of(uuid_hash, source.view(first), source.jdk, size=len(source.names[first]))
    if not len(topics):
        return {}
    assigned = {
        (id, number)
        for stored in source.stored.values()
        for id, numbers in stored.items()
        for number in numbers
    }
    unassigned = [
        (id, number)
        for id in topics
        for number in range(source.size[id])
        if (id, number) not in assigned
    ]
    share, extra_left = divmod(sum(source.size[id] for id in topics), len(source.members))
    answers = {member: Answer(source.stored[member], source.jdk) for member in source.members}
    unfilled = []
    for place, member in enumerate(source.members):
        extra = extra_left > 0
        quota = share + extra
        for id, numbers in list(source.stored[member].items()):
            for number in list(numbers):
                if id in topics and quota > 0:
                    quota -= 1
                else:
                    answers[member].take(id, number)
                    unassigned += [(id, number)] if id in topics else []
        if gives_back and extra and quota > 0 and len(source.members) - place > extra_left:
            quota, extra = quota - 1, False
        if quota > 0:
            unfilled.append((member, quota))
        extra_left -= extra
    for member, quota in unfilled:
        answers[member].change()
        for id, number in unassigned[:quota]:
            answers[member].give(id, number)
        del unassigned[:quota]
    if unassigned:
        raise LiteralError("PartitionAssignorException")
    return answers


class _Differing:
    def __init__(self, source: LiteralInput):
        self.source = source
        views = [set(source.view(member)) for member in source.members]
        self.subscribers = {
            id: [number for number, view in enumerate(views) if id in view]
            for id in set().union(*views)
        }
        self.topics = sorted(
            self.subscribers,
            key=lambda id: (
                -(source.size[id] / len(self.subscribers[id])),
                len(self.subscribers[id]),
                id,
            ),
        )
        self.answers = [Answer(source.stored[member], source.jdk) for member in source.members]
        self.sizes = [0] * len(source.members)
        self.owner: dict[Uuid, list[int | None]] = {
            id: [None] * source.size[id] for id in self.topics
        }

    def assigned(self) -> dict[str, Answer]:
        if not self.topics:
            return {}
        self.keep()
        for id in self.topics:
            free = [number for number, owner in enumerate(self.owner[id]) if owner is None]
            balancer = _Balancer(self, id) if free else None
            for number in free:
                self.give(id, number, balancer.least())
        self.balance()
        return dict(zip(self.source.members, self.answers, strict=False))

    def keep(self):
        for member, stored in enumerate(self.source.stored[name] for name in self.source.members):
            for id, numbers in list(stored.items()):
                if member in self.subscribers.get(id, ()):
                    self.sizes[member] += len(numbers)
                    for number in numbers:
                        if number >= len(self.owner[id]):
                            raise LiteralError("ArrayIndexOutOfBoundsException")
                        self.owner[id][number] = member
                else:
                    self.answers[member].change().remove(id)

    def balance(self):
        last = -1
        topics = [id for id in self.topics if len(self.subscribers[id]) >= 2]
        for _ in range(16):
            for place, id in enumerate(topics):
                if place == last:
                    return
                if self.even_out(id) or last == -1:
                    last = place

    def even_out(self, id: Uuid) -> bool:
        balancer, moved = _Balancer(self, id), False
        if balancer.imbalance <= 1:
            return False
        had = {
            member: [number for number, owner in enumerate(self.owner[id]) if owner == member]
            for member in self.subscribers[id]
        }
        while not balancer.balanced():
            taken = balancer.most()
            while taken is not None and not had[taken]:
                balancer.exclude()
                taken = balancer.most()
            if taken is None:
                break
            number, given = had[taken].pop(), balancer.least()
            if balancer.balanced():
                break
            self.sizes[taken] -= 1
            self.answers[taken].take(id, number)
            self.give(id, number, given)
            moved = True
        return moved

    def give(self, id: Uuid, number: int, member: int):
        self.owner[id][number] = member
        self.sizes[member] += 1
        self.answers[member].give(
            id, number, int(ceil(self.source.size[id] / len(self.subscribers[id])) / 0.75 + 1)
        )


class _Balancer:
    def __init__(self, work: _Differing, id: Uuid):
        self.sizes = work.sizes
        self.line = sorted(work.subscribers[id], key=lambda member: (work.sizes[member], member))
        lowest, highest = self.sizes[self.line[0]], self.sizes[self.line[-1]]
        self.imbalance = highest - lowest
        self.low_end, self.low_count, self.low_next = 0, lowest - 1, 0
        self.high_start = self.high_end = len(self.line)
        self.high_count, self.high_next = highest + 1, len(self.line) - 1

    def least(self) -> int:
        if self.low_next >= self.low_end:
            self.low_count += 1
            while (
                self.low_end < len(self.line)
                and self.sizes[self.line[self.low_end]] == self.low_count
            ):
                self.low_end += 1
            self.low_next = 0
        self.low_next += 1
        return self.line[self.low_next - 1]

    def most(self) -> int | None:
        if self.high_next < self.high_start:
            if self.high_end <= self.high_start and self.high_start > 0:
                self.high_count = self.sizes[self.line[self.high_start - 1]]
            else:
                self.high_count -= 1
            while (
                self.high_start > 0
                and self.sizes[self.line[self.high_start - 1]] == self.high_count
            ):
                self.high_start -= 1
            self.high_next = self.high_end - 1
        if self.high_next < 0:
            return None
        self.high_next -= 1
        return self.line[self.high_next + 1]

    def exclude(self):
        here, last = self.high_next + 1, self.high_end - 1
        self.line[here], self.line[last] = self.line[last], self.line[here]
        self.high_end = last

    def balanced(self) -> bool:
        return self.high_count - self.low_count <= 1


def literal_range(document: dict) -> Record:
    """Return the record of every member of the result of the broker's range."""
    source = LiteralInput(document)
    instances = {member["member_id"]: member.get("instance_id") for member in document["members"]}
    members = sorted(
        source.members,
        key=lambda member: (instances[member] is None, _java_order(instances[member] or member)),
    )
    views = {member: set(source.view(member)) for member in members}
    maps = {}
    for member in members:
        walked = source.view(members[0] if source.equal else member)
        maps[member] = HashMap(
            uuid_hash, int((len(walked) if source.equal else len(source.names[member])) / 0.75 + 1)
        )
        for id in walked:
            subscribers = [each for each in members if id in views[each]]
            plain, more = divmod(source.size[id], len(subscribers))
            place = subscribers.index(member)
            first = plain * place + min(place, more)
            if numbers := range(first, first + plain + (place < more)):
                maps[member].put(id, numbers)
    return record(source, maps)


def _java_order(text: str) -> bytes:
    return text.encode("utf-16-be", "surrogatepass")
