"""The jar on every release that it is for: `python -m tests.deploy.broker_conformance [RELEASE
...]`, two minutes and a broker of each.

Built against the release without a warning; built for the newest one it is chosen, assigns by
weights and by a plan, and answers as its twin.
"""

import sys
import tempfile
from pathlib import Path

from evenkeel.data.weights import Plan
from tests.deploy.test_broker_jar import HEAVY, NEAR, Cluster, agrees, owners, wait, worst
from tests.judge.building import broker_jar

RELEASES = ("4.0.0", "4.1.0", "4.2.0", "4.3.1")


def run(release: str) -> None:
    """Raise AssertionError where something does not hold."""
    with tempfile.TemporaryDirectory() as folder:
        broker_jar(Path(folder, "of its own"), release)
        with Cluster(Path(folder), release) as cluster:
            assert_runs(cluster)


def assert_runs(cluster: Cluster) -> None:
    """Have three static members share a topic by weights, then by a plan that gives everything to
    one of them.
    """
    topic = cluster.topic("orders", HEAVY)
    cluster.write(topic)
    wait(cluster.brokers.output, lambda said: "weights of 1 topics, 0 plans" in said)
    members = [
        cluster.member("payments", "orders", group_instance_id=f"s{number}") for number in range(3)
    ]
    found = cluster.rest("payments", 3)
    assert worst(found, HEAVY) <= NEAR, owners(found)
    assert agrees(found, cluster.file), owners(found)
    planned = {"s0": {topic.topic_id: list(range(len(HEAVY)))}, "s1": {}, "s2": {}}
    cluster.write(topic, plans=[Plan(planned, "payments")])
    wait(cluster.brokers.output, lambda said: "weights of 1 topics, 1 plans" in said)
    found = cluster.nudged("payments", 3)
    by_instance = {one.instance_id: (one.owned or {}).get("orders", []) for one in found.members}
    assert {name: sorted(numbers) for name, numbers in by_instance.items()} == {
        "s0": list(range(9)),
        "s1": [],
        "s2": [],
    }, by_instance
    assert agrees(found, cluster.file)
    assert not any(one.fatal for one in members)


def main() -> int:
    """Print a line for each release."""
    for release in sys.argv[1:] or RELEASES:
        run(release)
        print(
            f"evenkeel-weighted on Kafka {release}: compiles without a warning, assigns by weights"
            " and by a plan",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
