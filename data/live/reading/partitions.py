"""The partitions of live groups. Groups that have committed nothing in a partition share it: begin and end are the same for all."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from itertools import chain

from evenkeel.data.document import Partition
from evenkeel.data.live.reading.offsets import Committed, Ends
from evenkeel.data.live.reading.topics import LiveTopic
from evenkeel.data.live.wire.raw_topics import Place


class Partitions:
    """The partitions of topics that were seen, for one group after another."""

    def __init__(self, seen: Mapping[str, LiveTopic], ends: Ends):
        self._seen, self._ends = seen, ends
        self._uncommitted: dict[tuple[str, bool], list[Partition]] = {}

    def of(self, topic: str, named: Iterable[int], commits: Committed) -> list[Partition]:
        """Return the partitions of one group, by number; `named`: those of which its answers say more than that nothing is committed."""
        partitions = self._without_commit(topic, topic in commits.whole)
        for number in named:
            if number < len(partitions):
                partitions[number] = self._partition((topic, number), commits)
        return partitions

    def _without_commit(self, topic: str, is_known: bool) -> list[Partition]:
        """Leave out the end offset where the commit is unknown: an end alone would say that nothing is committed."""
        if (topic, is_known) not in self._uncommitted:
            places = [(topic, number) for number in range(len(self._seen[topic].racks))]
            self._uncommitted[topic, is_known] = [self._with_commit(place, is_known, None) for place in places]
        return list(self._uncommitted[topic, is_known])

    def _partition(self, place: Place, commits: Committed) -> Partition:
        """A lag that the broker reports stands in place of offsets."""
        if place in commits.lags:
            return Partition(lag=commits.lags[place], racks=self._racks(place))
        return self._with_commit(place, place in commits.offsets, commits.offsets.get(place))

    def _with_commit(self, place: Place, is_known: bool, committed: int | None) -> Partition:
        end = self._ends.end.get(place) if is_known else None
        return Partition(self._ends.begin.get(place), end, committed, racks=self._racks(place))

    def _racks(self, place: Place) -> list[str | None] | None:
        racks = self._seen[place[0]].racks[place[1]]
        return racks if any(racks) else None


def named_numbers(commits: Committed) -> dict[str, list[int]]:
    """Return the partition numbers that the answers about a group name, by topic."""
    named = defaultdict(list)
    for topic, number in chain(commits.offsets, commits.lags, filter(None, commits.problems)):
        named[topic].append(number)
    return named


def known_places(groups: Collection[Committed], seen: Mapping[str, LiveTopic]) -> set[Place]:
    """Return the partitions of which some group's commit is known, or known to be missing."""
    known: set[Place] = set().union(*(one.offsets for one in groups))
    whole = set().union(*(one.whole for one in groups if not one.problems))
    known.update(_places(whole, seen))
    for one in groups:
        if one.problems:
            known.update(place for place in _places(one.whole - whole, seen) if place not in one.problems)
    return known


def is_known(place: Place, commits: Committed, seen: Mapping[str, LiveTopic]) -> bool:
    """Tell whether a group's commit in a partition is known, or known to be missing."""
    topic, number = place
    return place in commits.offsets or (topic in commits.whole and number < len(seen[topic].racks) and place not in commits.problems)


def _places(topics: Iterable[str], seen: Mapping[str, LiveTopic]) -> Iterable[Place]:
    return ((topic, number) for topic in topics for number in range(len(seen[topic].racks)))
