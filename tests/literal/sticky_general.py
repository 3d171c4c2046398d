"""The general path of the sticky assignors as the specification words it, `isBalanced` before every
partition included.
"""

from evenkeel.assignors.assignment import AssignorError
from tests.literal.classic import hash_code, java_order
from tests.literal.hash_map import LiteralHashMap

Tp = tuple[str, int]


def pointed(enumerated, kept: list[Tp]) -> list[Tp]:
    """Return what is not kept. A kept partition that is never enumerated stops the pointer, and
    everything after it counts as not kept.
    """
    unassigned, pointer = [], 0
    for tp in enumerated:
        if pointer < len(kept) and kept[pointer] == tp:
            pointer += 1
        else:
            unassigned.append(tp)
    return unassigned


class _LiteralHashSet(LiteralHashMap):
    def __len__(self):
        return self.count

    def remove(self, key, hash_code: int):
        self.table[self._bucket(hash_code)].remove((key, hash_code))
        self.count -= 1


def assign_general(group, racks, highest: int) -> dict[str, list[tuple[str, int]]]:
    """Return what each member gets."""
    return _General(group, racks, highest).assign()


class _General:
    def __init__(self, group, racks, highest: int):
        self.group, self.racks = group, racks
        self.subscribers = {topic: [] for topic in group.racks}
        self.topics = {}
        for name, member in group.members.items():
            self.topics[name] = [topic for topic in member.topics if topic in group.racks]
            for topic in self.topics[name]:
                self.subscribers[topic].append(name)
        self.order = sorted(
            group.racks, key=lambda topic: (len(self.subscribers[topic]), java_order(topic))
        )
        self.everything = [
            (topic, number) for topic in self.order for number in range(len(group.racks[topic]))
        ]
        self.history = self._history(highest)
        self.current = {name: list(owned) for name, owned in group.owned.items()}
        self.holder = {tp: name for name, owned in self.current.items() for tp in owned}
        self.records, self.record_of, self.sorted = {}, {}, []

    def assign(self):
        revoked, unassigned = self._filter()
        self.sorted = list(self.current)
        fresh = not self.current[self._in_order()[-1]]
        self._fill(unassigned)
        shared = {topic for topic, names in self.subscribers.items() if len(names) >= 2}
        movable = [tp for tp in self.everything if tp[0] in shared]
        unassigned = [tp for tp in unassigned if tp[0] in shared]
        frozen = {
            name: self.current[name] for name in self.current if self._is_frozen(name, shared)
        }
        self.sorted = [name for name in self.sorted if name not in frozen]
        self.current = {name: tps for name, tps in self.current.items() if name not in frozen}
        before = {name: list(tps) for name, tps in self.current.items()}
        if not revoked:
            self._reassign(unassigned)
        done = self._reassign(movable)
        if not fresh and done and _score(self.current) >= _score(before):
            self.current = before
        return {
            name: frozen[name] if name in frozen else self.current[name]
            for name in self.group.owned
        }

    def _history(self, highest: int):
        history = {}
        for name, member in self.group.members.items():
            for tp in member.claims if member.generation < highest else ():
                if tp not in history or member.generation > history[tp][1]:
                    history[tp] = name, member.generation
        return {tp: name for tp, (name, _) in history.items()}

    def _filter(self):
        revoked, assigned = False, []
        for name, tps in self.current.items():
            left = [
                tp
                for tp in tps
                if tp[0] in self.group.members[name].topics and not self.racks.mismatch(name, tp)
            ]
            revoked |= left != tps
            self.current[name] = left
            assigned += left
        assigned.sort(key=lambda tp: (self.order.index(tp[0]), tp[1]))
        return revoked, pointed(self.everything, assigned)

    def _in_order(self):
        return sorted(self.sorted, key=lambda name: (len(self.current[name]), java_order(name)))

    def _fill(self, unassigned):
        left = unassigned
        if self.racks.of_member:
            left = [
                tp
                for tp in unassigned
                if not self._give(tp, lambda name, tp: not self.racks.mismatch(name, tp))
            ]
        for tp in left:
            self._give(tp, lambda name, tp: True)

    def _give(self, tp, allowed) -> bool:
        for name in self._in_order():
            if tp[0] in self.topics[name] and allowed(name, tp):
                self.current[name].append(tp)
                self.holder[tp] = name
                return True
        return False

    def _is_frozen(self, name, shared):
        return len(self.current[name]) >= self._maximum(name) and not any(
            tp[0] in shared for tp in self.current[name]
        )

    def _maximum(self, name):
        if len(self.topics[name]) == len(self.group.racks):
            return self.group.partition_count
        return sum(len(self.group.racks[topic]) for topic in self.topics[name])

    def _is_balanced(self):
        names = self._in_order()
        if len(self.current[names[-1]]) - len(self.current[names[0]]) <= 1:
            return True
        holder = {tp: name for name, tps in self.current.items() for tp in tps}
        for name in names:
            held = self.current[name]
            if len(held) == self._maximum(name):
                continue
            for topic in self.topics[name]:
                for number in range(len(self.group.racks[topic])):
                    if (topic, number) not in held and len(held) + 1 < self._size(
                        holder.get((topic, number))
                    ):
                        return False
        return True

    def _size(self, name):
        if name not in self.current:
            raise AssignorError("NullPointerException", f"{name} takes no part")
        return len(self.current[name])

    def _reassign(self, tps) -> bool:
        done = modified = True
        done = False
        while modified:
            modified = False
            for tp in tps:
                if self._is_balanced():
                    break
                modified |= self._move(tp)
            done |= modified
        return done

    def _move(self, tp) -> bool:
        count_of_holder = lambda: self._size(self.holder.get(tp))  # noqa: E731
        if tp in self.history and count_of_holder() > self._size(self.history[tp]) + 1:
            self._move_to(tp, self.history[tp])
            return True
        if self.racks.match(self.holder.get(tp), tp):
            for other in self.subscribers[tp[0]]:
                if self.racks.match(other, tp) and count_of_holder() > self._size(other) + 1:
                    self._move_to(tp, self._least(tp[0]))
                    return True
        for other in self.subscribers[tp[0]]:
            if count_of_holder() > self._size(other) + 1:
                self._move_to(tp, self._least(tp[0]))
                return True
        return False

    def _least(self, topic):
        return next(name for name in self._in_order() if topic in self.topics[name])

    def _move_to(self, tp, to):
        tp = self._actual(tp, to)
        owner = self.holder[tp]
        self._record(tp, owner, to)
        self.current[owner].remove(tp)
        self.current[to].append(tp)
        self.holder[tp] = to

    def _actual(self, tp, to):
        source = self.record_of[tp][0] if tp in self.record_of else self.holder[tp]
        back = self.records.get((tp[0], to, source))
        return next(iter(back)) if back else tp

    def _record(self, tp, owner, to):
        source = owner
        if tp in self.record_of:
            source, before = self.record_of.pop(tp)
            self.records[tp[0], source, before].remove(tp, _hash_code(tp))
            if not len(self.records[tp[0], source, before]):
                del self.records[tp[0], source, before]
            if source == to:
                return
        self.record_of[tp] = source, to
        self.records.setdefault((tp[0], source, to), _LiteralHashSet()).put(tp, _hash_code(tp))


def _hash_code(tp) -> int:
    return 31 * (31 + tp[1]) + hash_code(tp[0]) & 0xFFFF_FFFF


def _score(current) -> int:
    sizes = [len(tps) for tps in current.values()]
    return sum(abs(one - other) for place, one in enumerate(sizes) for other in sizes[place + 1 :])
