"""The jar for brokers on a big group: `python -m tests.benchmarks.weighted [--partitions 50000]
[--members 1000]`; the goal is 50 ms for a call.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

import msgspec
import numpy as np

from evenkeel.data.group.columns.rows import uuid_text
from tests.judge.judge import Judge

_TOPICS, _RUNS = 50, 60


def main():
    """Print the median of processor time and clock for each state of a group; every call follows
    others, as on a broker that has run for a while.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--partitions", type=int, default=50_000)
    parser.add_argument("--members", type=int, default=1_000)
    options = parser.parse_args()
    weights = np.random.default_rng(1).lognormal(0, 1, options.partitions)
    with tempfile.TemporaryDirectory() as folder, Judge(memory="2g", options=()) as judge:
        settings = {"file": str(_file(Path(folder), weights))}
        for name, members, owned, share in _states(options):
            group = _group(options, members, owned, share)
            answer = judge.answer("evenkeel-weighted", group, settings)
            owner = _owner(group, answer)
            measured = judge.measured("evenkeel-weighted", _RUNS)
            kept = np.mean(owner == owned)
            times = {
                kind: statistics.median(taken[_RUNS // 2 :]) for kind, taken in measured.items()
            }
            worst = np.bincount(owner, weights, members).max() / max(
                weights.sum() / members, weights.max()
            )
            print(
                f"{name}: {times['processor']:.0f} ms of processor, {times['milliseconds']:.0f} ms,"
                f" kept {kept:.1%}, worst load {worst:.3f} of the bound"
            )


def _states(options):
    """Yield a name, the number of members, who owns what, and every how many topics a member leaves
    one out.
    """
    numbers, members = np.arange(options.partitions), options.members
    yield "nobody owns anything", members, np.full(options.partitions, -1), 0
    yield "even counts, as uniform leaves them", members, numbers % members, 0
    yield (
        "one member has left",
        members - 1,
        np.where(numbers % members == members - 1, -1, numbers % members),
        0,
    )
    yield "one member owns everything", members, np.zeros(options.partitions, dtype=int), 0
    yield (
        "differing subscriptions, nobody owns anything",
        members,
        np.full(options.partitions, -1),
        5,
    )


def _file(folder: Path, weights) -> Path:
    path, size = folder / "weights.json", len(weights) // _TOPICS
    topics = [
        {
            "topic_id": uuid_text((7, topic + 1)),
            "weights": weights[topic * size : (topic + 1) * size].tolist(),
        }
        for topic in range(_TOPICS)
    ]
    path.write_bytes(
        msgspec.json.encode(
            {"format": "evenkeel.weights/1", "as_of_ms": time.time_ns() // 10**6, "topics": topics}
        )
    )
    return path


def _group(options, members: int, owned, share: int) -> dict:
    size = options.partitions // _TOPICS
    topics = [
        {"name": f"t{topic:02}", "topic_id": uuid_text((7, topic + 1)), "partitions": size}
        for topic in range(_TOPICS)
    ]
    names = [topic["name"] for topic in topics]
    has = [{} for _ in range(members)]
    for partition, member in enumerate(owned.tolist()):
        if member >= 0:
            has[member].setdefault(names[partition // size], []).append(partition % size)
    reads = [
        [name for topic, name in enumerate(names) if not share or (topic + one) % share]
        for one in range(members)
    ]
    listed = [
        {"member_id": f"m{one:04}", "subscribed": reads[one], "owned": has[one]}
        for one in range(members)
    ]
    return {"format": "evenkeel.group/1", "topics": topics, "members": listed}


def _owner(group: dict, answer: dict):
    size = group["topics"][0]["partitions"]
    owner = np.full(size * _TOPICS, -1)
    for member, topics in answer["assignment"].items():
        for name, numbers in topics.items():
            owner[int(name[1:]) * size + np.array(numbers)] = int(member[1:])
    return owner


if __name__ == "__main__":
    main()
