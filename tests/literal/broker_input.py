"""What a broker gives to an assignor, as the specification words it: maps and sets entry by entry,
in Java's order.
"""

import base64

from evenkeel.assignors.java.hashing import name_uuid
from tests.literal.containers import HashMap, HashSet

Uuid = tuple[int, int]
"""Most and least significant half, signed."""


class LiteralError(Exception):
    """The simple name of Java's exception."""


class LiteralInput:
    """Reads a group document.

    `members` in the order of the map of members; `names`, `stored`: by member id; `size`,
    `name_of`: by topic id.
    """

    def __init__(self, document: dict, jdk: int = 17):
        self.jdk = jdk
        self._ids = {
            topic["name"]: topic_id(topic["name"], topic.get("topic_id"))
            for topic in document["topics"]
        }
        self.size = {
            self._ids[topic["name"]]: _count(topic["partitions"]) for topic in document["topics"]
        }
        self.name_of = {id: name for name, id in self._ids.items()}
        map = HashMap(string_hash)
        for member in document["members"]:
            map.put(member["member_id"], member)
        self.members = list(map)
        self.names = {
            member: HashSet.of(string_hash, sorted(map[member]["subscribed"]), jdk)
            for member in self.members
        }
        self.stored = {
            member: self._stored(map[member].get("owned") or {}) for member in self.members
        }
        self.equal = len({frozenset(names) for names in self.names.values()}) <= 1

    def view(self, member: str) -> list[Uuid]:
        """Ids of the known topics of a member, in order; its reported size is that of `names`."""
        return [self._ids[name] for name in self.names[member] if name in self._ids]

    def _stored(self, owned: dict[str, list[int]]) -> HashMap:
        stored = HashMap(uuid_hash)
        for name, numbers in owned.items():
            if numbers:
                id = self._ids.get(name) or topic_id(name, None)
                self.name_of.setdefault(id, name)
                stored.put(id, HashSet.of(int, numbers, self.jdk))
        return stored


class Answer:
    """A member's map of topics that is copied before its first change, as both uniform
    builders do.
    """

    def __init__(self, stored: HashMap, jdk: int):
        self.topics, self._jdk, self._copied = stored, jdk, False

    def change(self) -> HashMap:
        if not self._copied:
            copied = HashMap(uuid_hash, len(self.topics))
            for id, numbers in self.topics.items():
                copied.put(id, HashSet.of(int, numbers, self._jdk))
            self.topics, self._copied = copied, True
        return self.topics

    def take(self, id: Uuid, number: int):
        numbers = self.change()[id]
        numbers.remove(number)
        if not len(numbers):
            self.topics.remove(id)

    def give(self, id: Uuid, number: int, capacity: int = 16):
        self.change().compute_if_absent(id, lambda: HashSet(int, capacity)).add(number)


def record(source: LiteralInput, maps: dict[str, HashMap]) -> dict[str, dict[str, list[int]]]:
    """Write maps of topics as the broker's record lists them."""
    return {
        member: {source.name_of[id]: list(numbers) for id, numbers in map.items()}
        for member, map in maps.items()
    }


def topic_id(name: str, given: str | None) -> Uuid:
    if not given:
        return name_uuid(name)
    octets = base64.urlsafe_b64decode(given + "==")
    return int.from_bytes(octets[:8], signed=True), int.from_bytes(octets[8:], signed=True)


def string_hash(text: str) -> int:
    result = 0
    for unit in memoryview(text.encode("utf-16-le", "surrogatepass")).cast("H"):
        result = (31 * result + unit) % 2**32
    return result


def uuid_hash(id: Uuid) -> int:
    halves = (id[0] ^ id[1]) % 2**64
    return (halves >> 32 ^ halves) % 2**32


def _count(partitions: int | list) -> int:
    return partitions if isinstance(partitions, int) else len(partitions)
