"""Weights of partitions (rates or lags), computed from repeated readings of a cluster.

readings = Readings()
readings.add(documents)
later = readings.add(documents_of_a_minute_later)
write(path, WeightsFile(as_of_ms=later, topics=readings.weights("rate"), plans=[]))
"""

from collections import deque
from collections.abc import Iterable

import numpy as np

from evenkeel.assignors.group.lag import page_lag
from evenkeel.data import clock
from evenkeel.data.group.columns import observed_from_document
from evenkeel.data.group.document import Document
from evenkeel.data.weights import TopicWeights, topic_rows

_KEPT_SECONDS = 600
_WITHIN_SECONDS = 600.0


class Readings:
    """End offsets and lags of a cluster's partitions, read repeatedly in the last ten minutes.

    Rates are measured between the first reading and the latest reading.
    """

    def __init__(self) -> None:
        self._ends: deque[tuple[float, dict[tuple[str, str], np.ndarray]]] = deque()
        self._lag: dict[tuple[str, str], np.ndarray] = {}

    def add(self, documents: Iterable[Document]) -> int:
        """Add a reading: one document for each group. Return the time of the oldest document, in
        milliseconds since 1970.
        """
        ends: dict[tuple[str, str], np.ndarray] = {}
        lag: dict[tuple[str, str], np.ndarray] = {}
        times = [clock.now()]
        for document in documents:
            group = observed_from_document(document).snapshot
            times += [document.taken_at] if document.taken_at else []
            for topic, rows in topic_rows(group):
                ends[topic] = _largest(ends.get(topic), _known(group.end_offset[rows]))
                lag[topic] = _largest(lag.get(topic), _known(page_lag(group)[rows]))
        taken = min(times).timestamp()
        self._ends.append((taken, ends))
        self._lag = lag
        while taken - self._ends[0][0] > _KEPT_SECONDS and len(self._ends) > 2:
            self._ends.popleft()
        return int(taken * 1000)

    def weights(self, objective: str, within: float = _WITHIN_SECONDS) -> list[TopicWeights]:
        """Return the weights of all topics in the latest reading.

        `rate`: records that arrive in a second. `lag`: records; if several groups read a partition,
        the largest lag. `drain`: the lag plus the records that arrive in `within` seconds.
        """
        weights = {topic: self._weight(topic, objective, within) for topic in self._lag}
        return [
            TopicWeights(topic_id, name, _numbers(weights[topic_id, name]))
            for topic_id, name in sorted(weights)
        ]

    def _weight(self, topic: tuple[str, str], objective: str, within: float) -> np.ndarray:
        if objective == "lag":
            return self._lag[topic]
        rate = self._rate(topic)
        return rate if objective == "rate" else self._lag[topic] + within * rate

    def _rate(self, topic: tuple[str, str]) -> np.ndarray:
        """Return records a second; NaN if a partition is new, or if its topic was recreated."""
        last, ends = self._ends[-1]
        first, before = next(
            (reading for reading in self._ends if topic in reading[1]), self._ends[-1]
        )
        had = np.full(len(ends[topic]), np.nan)
        had[: len(before[topic])] = before[topic][: len(had)]
        arrived = ends[topic] - had
        return (
            np.where(arrived >= 0, arrived, np.nan) / (last - first)
            if last > first
            else np.full(len(had), np.nan)
        )


def _known(numbers: np.ndarray) -> np.ndarray:
    return np.where(numbers < 0, np.nan, numbers)


def _largest(lags: np.ndarray | None, other: np.ndarray) -> np.ndarray:
    """Return the larger lag of each partition of a topic that two groups read.

    If the lengths differ, partitions were added between the two reads: return the longer array.
    """
    if lags is None or len(lags) != len(other):
        return other if lags is None or len(other) > len(lags) else lags
    return np.fmax(lags, other)


def _numbers(weights: np.ndarray) -> list[float | None]:
    return [None if np.isnan(weight) else round(weight, 3) for weight in weights.tolist()]
