"""Slots: offsets and owners of a group, read again and again."""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from confluent_kafka import ConsumerGroupTopicPartitions, TopicPartition
from confluent_kafka.admin import AdminClient, OffsetSpec

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.series import Series


class Slot(NamedTuple):
    """When it was read, seconds since 1970; int64 (P,) offsets, int32 (P,) owners."""

    time: float
    committed: np.ndarray
    end: np.ndarray
    owner: np.ndarray


class Slots:
    """Slots of a group that reads one topic; `names` are the client ids of its members."""

    def __init__(
        self, bootstrap: str, topic: str, partitions: int, names: tuple[str, ...], every: float
    ):
        self._admin, self._topic, self._names = (
            AdminClient({"bootstrap.servers": bootstrap}),
            topic,
            names,
        )
        self._tps, self._every = (
            [TopicPartition(topic, number) for number in range(partitions)],
            every,
        )
        self._begun, self.read = time.time(), []

    def next(self) -> Slot:
        """Wait for the next slot and read it."""
        time.sleep(max(self._begun + self._every - time.time(), 0))
        self._begun = time.time()
        with ThreadPoolExecutor(1) as pool:
            owner = pool.submit(self._owner)
            committed = self._committed()
            at = time.time()
            self.read.append(Slot(at, committed, self._end(), owner.result()))
        return self.read[-1]

    def series(self) -> Series:
        """Return the slots that were read."""
        committed, end = (
            np.array([getattr(slot, name) for slot in self.read]) for name in ("committed", "end")
        )
        return Series(
            slot=np.arange(len(self.read)),
            time=np.array([slot.time for slot in self.read]),
            topic_name=(self._topic,),
            topic=np.zeros(len(self._tps), dtype=np.int32),
            partition=np.arange(len(self._tps), dtype=np.int32),
            begin_offset=np.zeros_like(end),
            committed_offset=committed,
            end_offset=end,
            lag=end - committed,
            member_id=self._names,
            owner=np.array([slot.owner for slot in self.read]),
            is_listed=np.ones(end.shape, dtype=bool),
            is_member=np.ones((len(self.read), len(self._names)), dtype=bool),
            generation=np.ones(len(self.read), dtype=np.int64),
        )

    def _committed(self) -> np.ndarray:
        # Committed offsets before end offsets: in this order the lag is never below 0.
        (asked,) = self._admin.list_consumer_group_offsets(
            [ConsumerGroupTopicPartitions(self._topic, self._tps)]
        ).values()
        found = {one.partition: max(one.offset, 0) for one in asked.result().topic_partitions}
        return np.array([found.get(tp.partition, 0) for tp in self._tps], dtype=np.int64)

    def _end(self) -> np.ndarray:
        found = self._admin.list_offsets(dict.fromkeys(self._tps, OffsetSpec.latest()))
        return np.array([found[tp].result().offset for tp in self._tps], dtype=np.int64)

    def _owner(self) -> np.ndarray:
        (asked,) = self._admin.describe_consumer_groups([self._topic]).values()
        owner = np.full(len(self._tps), UNASSIGNED, dtype=np.int32)
        for member in asked.result().members:
            for tp in member.assignment.topic_partitions if member.assignment else []:
                owner[tp.partition] = self._names.index(member.client_id)
        return owner
