"""Short names of the instances and threads of a Kafka Streams application."""

import re
from collections.abc import Sequence

from evenkeel.data.document.application import Process
from evenkeel.data.words.names import without_uuid

_THREAD = re.compile(r"StreamThread-(\d+)")
_ID, _TAIL = 8, 4


def process_names(processes: Sequence[Process]) -> tuple[str, ...]:
    """Return the client id of each instance without its UUID, else the first characters of its process id.

    Of several with one name the first keeps it, and the others have the first characters of their process id behind it.
    """
    names: list[str] = []
    for process in processes:
        name = without_uuid(process.client_id) if process.client_id else process.process_id[:_ID]
        taken = f"{name}-{process.process_id[:_TAIL]}"
        names.append(name if name not in names else taken if taken not in names else process.process_id)
    return tuple(names)


def thread_names(processes: Sequence[Process]) -> tuple[str, ...]:
    """Return `t1`, `t2` … for each consumer, by the number in its name where every one of its instance has another."""
    return tuple(name for process in processes for name in _threads([consumer.member_id for consumer in process.consumers]))


def _threads(members: Sequence[str]) -> list[str]:
    numbers = [found[1] for found in map(_THREAD.search, members) if found]
    is_numbered = len(numbers) == len(set(numbers)) == len(members)
    return [f"t{number}" for number in (numbers if is_numbered else range(1, len(members) + 1))]
