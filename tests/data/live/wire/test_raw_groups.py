"""Lists of groups from brokers, some of which do not answer."""

import asyncio
from types import SimpleNamespace

import pytest
from kafka import errors

from evenkeel.data.live.wire.raw_groups import RawGroups


class _Manager:
    """Broker n has the group gn; `dead` ones do not answer."""

    def __init__(self, *dead: int):
        self._dead = dead
        brokers = [SimpleNamespace(node_id=number) for number in (1, 2, 3)]
        self.cluster = SimpleNamespace(brokers=lambda: brokers, refresh_metadata=self._refresh)

    async def _refresh(self):
        pass

    async def _answer(self, node_id: int):
        if node_id in self._dead:
            raise errors.NodeNotReadyError(node_id)
        group = SimpleNamespace(
            group_id=f"g{node_id}",
            group_type="Classic",
            group_state="Stable",
            protocol_type="consumer",
        )
        return SimpleNamespace(error_code=0, groups=[group])

    def send(self, request, node_id: int):
        return self._answer(node_id)

    def run(self, work):
        return asyncio.run(work())


def listed(*dead: int) -> list[str]:
    groups = RawGroups.__new__(RawGroups)
    groups._manager = _Manager(*dead)
    return [each.group_id for each in groups.listed()]


def test_a_broker_that_does_not_answer_hides_no_group_of_another():
    assert listed() == ["g1", "g2", "g3"]
    assert listed(2) == ["g1", "g3"]


def test_brokers_of_which_none_answers_have_no_empty_list():
    with pytest.raises(errors.KafkaConnectionError):
        listed(1, 2, 3)
