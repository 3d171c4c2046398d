"""A leader that is predicted to die, dies: `python -m tests.judge.librdkafka_crash`.

One member of librdkafka has all partitions of two topics and leads. Two members join, one of them
for one topic only. On a real broker the process of the leader then ends by a signal; that of the
same group with one partition less does not.
"""

import subprocess
import sys
from pathlib import Path
from time import monotonic

from confluent_kafka.admin import AdminClient

from tests.brokers.broker import Brokers
from tests.brokers.topics import create_topic
from tests.judge.conformance import ours

_ROOT = Path(__file__).parents[2]
_ASSIGNOR = "cooperative-sticky"
_SIZES = ({"t": 6, "u": 8}, {"t": 6, "u": 7})
_TIME_LIMIT_SECONDS = 60


def main() -> int:
    """Print one line a group; exit code 1 where prediction and process differ."""
    with Brokers() as brokers:
        met = [_is_met(brokers.bootstrap(), number, sizes) for number, sizes in enumerate(_SIZES)]
    return int(not all(met))


def _is_met(bootstrap: str, number: int, sizes: dict[str, int]) -> bool:
    topics = {f"{name}{number}": count for name, count in sizes.items()}
    predicted = _predicted(topics)
    signal = _signal_of_leader(bootstrap, f"group-{number}", topics)
    seen = f"ended by signal {signal}" if signal else "lives"
    print(
        f"{topics}: predicted {predicted or 'an answer'}; the process of the leader {seen}",
        flush=True,
    )
    return bool(predicted) == bool(signal)


def _predicted(topics: dict[str, int]) -> str | None:
    one, both = list(topics)[:1], list(topics)
    owned = {name: list(range(count)) for name, count in topics.items()}
    members = [
        {"member_id": "a", "subscribed": one, "owned": {}, "generation": -1, "rack": ""},
        {"member_id": "b", "subscribed": both, "owned": owned, "generation": 1, "rack": ""},
        {"member_id": "c", "subscribed": both, "owned": {}, "generation": -1, "rack": ""},
    ]
    group = {
        "format": "evenkeel.group/1",
        "topics": [{"name": name, "partitions": count} for name, count in topics.items()],
        "members": members,
    }
    error = ours({"assignor": _ASSIGNOR, "group": group, "settings": {"client": "librdkafka"}})[
        "error"
    ]
    return error and error["type"]


def _signal_of_leader(bootstrap: str, group_id: str, topics: dict[str, int]) -> int | None:
    """Return the signal that ends the leader when the other two join, None if it lives until
    everybody has something.
    """
    admin = AdminClient({"bootstrap.servers": bootstrap})
    for name, count in topics.items():
        create_topic(admin, name, count)
    one, both = list(topics)[:1], list(topics)
    leader = _consumer(bootstrap, "b", group_id, both)
    others = []
    try:
        _wait_for(leader, lambda count: count == sum(topics.values()))
        others += [
            _consumer(bootstrap, "a", group_id, one),
            _consumer(bootstrap, "c", group_id, both),
        ]
        _wait_for(leader, lambda count: count < sum(topics.values()))
        return -leader.wait(_TIME_LIMIT_SECONDS) if leader.poll() is not None else None
    finally:
        for process in (leader, *others):
            process.kill()
            process.wait()


def _consumer(bootstrap: str, name: str, group_id: str, topics: list[str]) -> subprocess.Popen:
    command = [
        sys.executable,
        "-m",
        "tests.brokers.librdkafka_consumer",
        bootstrap,
        name,
        group_id,
        _ASSIGNOR,
        ",".join(topics),
    ]
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=_ROOT,
    )


def _wait_for(process: subprocess.Popen, is_met) -> None:
    """Wait until the number of partitions that a consumer writes is as wished, or until it has
    ended.
    """
    deadline = monotonic() + _TIME_LIMIT_SECONDS
    for line in process.stdout:
        if is_met(int(line)):
            return
        if monotonic() > deadline:
            raise RuntimeError(
                f"{process.args[4:]}: {line.strip()} partitions after {_TIME_LIMIT_SECONDS} s"
            )
    process.wait()


if __name__ == "__main__":
    sys.exit(main())
