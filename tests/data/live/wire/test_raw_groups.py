"""Lists of groups from brokers, some of which do not answer."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from kafka import errors

from evenkeel.data.live.wire import raw_groups
from evenkeel.data.live.wire.raw_groups import RawGroups


class _Manager:
    """Broker n coordinates the group gn, and the next one does once metadata drops it: at the third
    request. `dead` ones do not answer.
    """

    def __init__(self, *dead: int, drops: bool = True):
        self._dead, self._drops, self._requests = dead, drops, 0
        self.cluster = SimpleNamespace(brokers=self._brokers, refresh_metadata=self._refresh)

    def _brokers(self):
        return [SimpleNamespace(node_id=each) for each in (1, 2, 3) if self._is_named(each)]

    def _is_named(self, node_id: int) -> bool:
        return node_id not in self._dead or not self._drops or self._requests < 3

    async def _refresh(self):
        self._requests += 1

    async def _answer(self, node_id: int):
        if node_id in self._dead:
            raise errors.NodeNotReadyError(node_id)
        gone = [each for each in self._dead if not self._is_named(each)]
        groups = [
            SimpleNamespace(
                group_id=f"g{number}",
                group_type="Classic",
                group_state="Stable",
                protocol_type="consumer",
            )
            for number in (node_id, *(each for each in gone if each % 3 + 1 == node_id))
        ]
        return SimpleNamespace(error_code=0, groups=groups)

    def send(self, request, node_id: int):
        return self._answer(node_id)

    def run(self, work):
        # A browser's event loop may run in this thread.
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(asyncio.run, work()).result()


def listed(manager: _Manager) -> list[str]:
    groups = RawGroups.__new__(RawGroups)
    groups._manager = manager
    return [each.group_id for each in groups.listed()]


def test_groups_of_a_crashed_broker_are_listed_once_another_one_coordinates_them():
    assert listed(_Manager()) == ["g1", "g2", "g3"]
    assert listed(_Manager(2)) == ["g1", "g2", "g3"]


def test_no_group_is_left_out_in_silence(monkeypatch):
    monkeypatch.setattr(raw_groups, "_NAMED_SECONDS", 0.5)

    with pytest.raises(errors.KafkaConnectionError, match="broker 2 does not list its groups"):
        listed(_Manager(2, drops=False))


def test_brokers_of_which_none_answers_have_no_empty_list():
    with pytest.raises(errors.KafkaConnectionError):
        listed(_Manager(1, 2, 3, drops=False))
