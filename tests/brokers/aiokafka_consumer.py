"""A consumer of aiokafka: `PYTHON tests/brokers/aiokafka_consumer.py BOOTSTRAP NAME GROUP ASSIGNOR TOPIC,TOPIC [INSTANCE]` leaves its group when its input ends.

aiokafka is not among the packages of the tests: PYTHON is an interpreter that has it.
"""

import asyncio
import sys

from aiokafka import AIOKafkaConsumer
from aiokafka.coordinator.assignors.range import RangePartitionAssignor
from aiokafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor
from aiokafka.coordinator.assignors.sticky.sticky_assignor import StickyPartitionAssignor

_ASSIGNORS = {one.name: one for one in (RangePartitionAssignor, RoundRobinPartitionAssignor, StickyPartitionAssignor)}
_HEARTBEAT_MS = 200


async def main(bootstrap: str, name: str, group_id: str, assignor: str, topics: str, instance_id: str | None = None) -> None:
    """Stay in the group until the input ends."""
    consumer = AIOKafkaConsumer(
        *topics.split(","),
        bootstrap_servers=bootstrap,
        client_id=name,
        group_id=group_id,
        group_instance_id=instance_id,
        partition_assignment_strategy=[_ASSIGNORS[assignor]],
        heartbeat_interval_ms=_HEARTBEAT_MS,
        enable_auto_commit=False,
    )
    await consumer.start()
    try:
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    finally:
        await consumer.stop()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
