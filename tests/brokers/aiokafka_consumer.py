"""A consumer of aiokafka: `PYTHON tests/brokers/aiokafka_consumer.py BOOTSTRAP NAME GROUP ASSIGNOR
TOPIC,TOPIC [INSTANCE] [MORE]` leaves its group when its input ends.

MORE: as of `kafka_python_consumer`. It prints the longest time that its event loop stood still, in
seconds, when it ends.
"""

import asyncio
import json
import sys

from aiokafka import AIOKafkaConsumer
from aiokafka.coordinator.assignors.range import RangePartitionAssignor
from aiokafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor
from aiokafka.coordinator.assignors.sticky.sticky_assignor import StickyPartitionAssignor
from evenkeel_assignors.aio_kafka import LagAssignor

_ASSIGNORS = {
    one.name: one
    for one in (RangePartitionAssignor, RoundRobinPartitionAssignor, StickyPartitionAssignor)
}
_HEARTBEAT_MS = 200
_TICK_SECONDS = 0.01


async def main(
    bootstrap: str,
    name: str,
    group_id: str,
    assignor: str,
    topics: str,
    instance_id: str = "",
    more: str = "{}",
) -> None:
    """Stay in the group until the input ends."""
    own = json.loads(more)
    settings = {
        "bootstrap_servers": bootstrap,
        "client_id": name,
        "group_id": group_id,
        "group_instance_id": instance_id or None,
    }
    settings |= {"heartbeat_interval_ms": _HEARTBEAT_MS, "enable_auto_commit": False} | own.pop(
        "settings", {}
    )
    read_with = settings | own.pop("read_with", {})
    assignors = [
        LagAssignor(read_with, **own) if one == LagAssignor.name else _ASSIGNORS[one]
        for one in assignor.split(",")
    ]
    consumer = AIOKafkaConsumer(
        *topics.split(","), partition_assignment_strategy=assignors, **settings
    )
    stillness = asyncio.create_task(_longest_stillness())
    await consumer.start()
    try:
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    finally:
        await consumer.stop()
        stillness.cancel()
        print(await stillness, flush=True)


async def _longest_stillness() -> float:
    """Return how long the loop ran nothing else at a time, until this is cancelled."""
    loop, longest = asyncio.get_running_loop(), 0.0
    while True:
        began = loop.time()
        try:
            await asyncio.sleep(_TICK_SECONDS)
        except asyncio.CancelledError:
            return longest
        longest = max(longest, loop.time() - began - _TICK_SECONDS)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
