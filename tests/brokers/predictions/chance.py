"""Groups and changes at random."""

from random import Random

from evenkeel.data.group.document import Document
from tests.brokers.predictions.change import Change
from tests.brokers.predictions.group import RACKS, About, Cluster, Group, Places, member_id
from tests.brokers.predictions.kinds import JAVA, SHORT_SESSION_MS, Kind

_MOST_MEMBERS, _MOST_TOPICS, _MOST_PARTITIONS, _MOST_GROWTH = 6, 4, 12, 4
_HAS_RACKS, _IS_STATIC, _COMES_BACK = 0.5, 0.3, 0.4


class Chance:
    """Makes one group and its changes; `group` has its first members."""

    def __init__(self, cluster: Cluster, kind: Kind, number: int, random: Random):
        self._random, self._started, self._left = random, 0, None
        sizes = [
            random.randint(1, _MOST_PARTITIONS) for _ in range(random.randint(1, _MOST_TOPICS))
        ]
        self._has_racks = random.random() < _HAS_RACKS
        places = {f"g{number}-t{row}": self._places(size) for row, size in enumerate(sizes)}
        self.group = Group(cluster, f"g{number}-{kind}", kind, places, SHORT_SESSION_MS)
        for _ in range(random.randint(2, _MOST_MEMBERS)):
            self.group.start(self._about())

    def change(self, document: Document, may_die: bool) -> Change:
        """Return the next change. `may_die`: a member that ends does it without a word."""
        group, random = self.group, self._random
        back, self._left = self._left, None
        if back and random.random() < _COMES_BACK:
            return group.join(document, *back)
        listed = [topic.name for topic in document.topics]
        choices = [
            lambda: group.grow(random.choice(listed), self._places(random.randint(1, _MOST_GROWTH)))
        ]
        if len(group.members) < _MOST_MEMBERS:
            choices += [lambda: group.join(document, self._about())] * 2
        if len(group.members) > 1:
            choices += [lambda: self._remove(document, may_die and group.kind.client == JAVA)] * 2
            choices += [lambda: group.restart(document, random.choice(list(group.members)))] * (
                group.kind.client == JAVA
            )
        return random.choice(choices)()

    def _remove(self, document: Document, dies: bool) -> Change:
        name = self._random.choice(list(self.group.members))
        about = self.group.members[name]
        if about.instance_id is None:
            self._left = about, member_id(document, name)
        return self.group.remove(document, name, dies=dies)

    def _about(self) -> About:
        self._started += 1
        name, topics = f"{self.group.group_id}-{self._started}", list(self.group.sizes)
        some = (
            topics
            if self.group.kind.is_equal
            else self._random.sample(topics, self._random.randint(1, len(topics)))
        )
        rack = self._random.choice([*RACKS.values(), None]) if self._has_racks else None
        is_static = self.group.kind.client == JAVA and self._random.random() < _IS_STATIC
        return About(name, tuple(sorted(some)), rack, f"i-{name}" if is_static else None)

    def _places(self, count: int) -> Places:
        return [[self._random.choice(list(RACKS))] for _ in range(count)]
