"""Commands of Kafka's tools and of kubectl that show more about a cause, or change something.

Evenkeel runs none of them.
"""

import shlex
from collections.abc import Callable

from evenkeel.assignors.diagnosis.finding import Finding
from evenkeel.data.diagnosis.phrases import Names


def logs(finding: Finding, names: Names) -> str:
    """Return the command for the logs of a member's pod; the member list if the pod is unknown."""
    pod = names.pod(finding.members[0])
    return f"kubectl logs {shlex.quote(pod)}" if pod else names.describe("--members")


def restart(finding: Finding, names: Names) -> dict[str, str] | None:
    """Return the command that restarts a member's pod; None if no pod is known."""
    pod = names.pod(finding.members[0])
    if pod is None:
        return None
    return {
        "command": f"kubectl delete pod {shlex.quote(pod)}",
        "what": "restarts the member; its partitions go to other members",
    }


def record(finding: Finding, names: Names) -> str | None:
    """Return the command that reads a partition's next record."""
    group, tp = names.observed.snapshot, finding.tps[0]
    committed = finding.figures["committed"]
    if committed is None:
        return names.describe()
    topic = shlex.quote(group.topic_name[group.tp_topic[tp]])
    place = (
        f"--topic {topic} --partition {group.tp_partition[tp]} --offset {committed}"
        " --max-messages 1"
    )
    return names.tool("kafka-console-consumer.sh", place, is_of_group=False)


def ends(finding: Finding, names: Names) -> str:
    """Return the command that shows the end offsets of a topic."""
    group = names.observed.snapshot
    topic = shlex.quote(group.topic_name[group.tp_topic[finding.tps[0]]])
    return names.tool("kafka-get-offsets.sh", f"--topic {topic}", is_of_group=False)


def forgotten_topic(finding: Finding, names: Names) -> dict[str, str]:
    """Return the command that deletes the commits of topics without subscribers."""
    topics = " ".join(
        f"--topic {shlex.quote(names.observed.snapshot.topic_name[row])}" for row in finding.topics
    )
    command = names.tool("kafka-consumer-groups.sh", f"--delete-offsets {topics}")
    return {"command": command, "what": "deletes the commits of these topics"}


def describe(arguments: str = "") -> Callable[[Finding, Names], str]:
    """Return a function that returns the command to describe the group, with `arguments`."""
    return lambda finding, names: names.describe(arguments)
