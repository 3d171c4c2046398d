"""The messages of Kafka clients about their groups: a pattern and an event for each message.

Java's consumer, and frameworks built on it, write a prefix with client and group. kafka-python,
aiokafka, franz-go, sarama and kafkajs write the group in the text or next to it.
"""

import re
from collections.abc import Iterable
from typing import Any

_GENERATION = (
    r"Generation\{generationId=(?P<generation>-?\d+), memberId='(?P<member>[^']*)'"
    r"(?:, protocol='?(?P<protocol>[^'}]*)'?)?\}"
)
JAVA = re.compile(
    r"\[(?:Consumer|Worker) (?:instanceId=(?P<instance>[^,\]]+), )?clientId=(?P<client>[^,\]]*)"
    r"(?:, groupId=(?P<group>[^\]]*))?\] "
)
STREAMS = re.compile(r"stream-(?:client|thread) \[(?P<client>[^\]]+)\]:? ")


def _compiled(patterns: Iterable[tuple[str, str]]) -> list[tuple[str, re.Pattern]]:
    return [(event, re.compile(pattern, re.DOTALL)) for event, pattern in patterns]


JAVA_EVENTS = _compiled(
    (
        ("rejoin_requested", r"Request joining group due to: (?P<reason>.*)"),
        (
            "rejoin_requested",
            r"(?P<reason>Current config state offset -?\d+ does not match group assignment -?\d+)",
        ),
        (
            "rejoin_requested",
            (r"(?P<reason>(?:Requested to schedule|Triggering the followup rebalance)[^.(]*)"),
        ),
        (
            "rebalancing",
            r"Attempt to heartbeat failed since group is rebalancing|Rebalance started",
        ),
        ("joining", r"\(Re-\)joining group"),
        (
            "joined",
            r"Successfully joined group with generation (?:" + _GENERATION + r"|(?P<number>\d+))",
        ),
        ("synced", r"Successfully synced group in generation " + _GENERATION),
        (
            "assignment_made",
            (
                r"Finished assignment for group at generation (?P<generation>-?\d+):"
                r" \{(?P<content>.*)\}"
            ),
        ),
        ("assigned", r"(?:Adding|Setting) newly assigned partitions:? ?(?P<partitions>[^()]*)"),
        ("owns", r"Updating assignment with(?: local epoch (?P<generation>-?\d+))?"),
        (
            "revoked",
            r"(?:Revoke|Revoking) previously assigned partitions:? ?(?P<partitions>[^()]*)",
        ),
        (
            "lost",
            r"(?:Lost previously assigned partitions:? ?(?P<partitions>[^()]*)"
            r"|Giving away all assigned partitions as lost)",
        ),
        (
            "poll_timeout",
            r"[Cc]onsumer poll timeout has expired|This member will leave the group because"
            r" consumer"
            r" poll timeout has expired|Time between subsequent calls to poll\(\) was longer",
        ),
        (
            "left",
            r"Member (?P<member>\S+) sending LeaveGroup request to coordinator .*?"
            r"(?: due to (?P<reason>.*?)(?:\. |$))?$",
        ),
        (
            "left",
            r"Member (?P<member>\S+) sending LeaveGroup request to coordinator .*? due to "
            r"(?P<reason>.*?)\. .*",
        ),
        (
            "heartbeat_failed",
            r"Attempt to heartbeat with (?:stale )?"
            + _GENERATION
            + r".*? failed due to (?P<reason>[^,(]*)",
        ),
        ("heartbeat_failed", r"ConsumerGroupHeartbeatRequest failed.*?: (?P<reason>[^()]*)"),
        ("generation_reset", r"Resetting generation .*?due to:? (?P<reason>[^()]*)"),
        (
            "coordinator_lost",
            r"Group coordinator .*? is unavailable or invalid due to cause: (?P<reason>[^(]*)",
        ),
        ("coordinator_lost", r"Attempt to heartbeat failed since (?P<reason>coordinator [^(]*)"),
        ("coordinator_found", r"Discovered group coordinator "),
        ("fenced", r".*?(?:has been fenced by another|Caught fenced group\.instance\.id)"),
        ("join_failed", r"JoinGroup failed:? (?P<reason>.*)"),
        ("sync_failed", r"SyncGroup failed:? (?P<reason>.*)"),
        (
            "state",
            r"Member (?P<member>\S+) with epoch (?P<generation>-?\d+) transitioned from "
            r"(?P<from>\w+) to (?P<to>\w+)",
        ),
        (
            "assignment_made",
            r"Finished (?P<stability>stable|unstable) assignment of tasks",
        ),
        ("tasks", r"Handle new assignment with:"),
        ("state", r"State transition from (?P<from>\w+) to (?P<to>\w+)"),
        (
            "connect_assignment",
            r"Joined group at generation (?P<generation>\d+) .*?got assignment: Assignment\{"
            r"error=(?P<error>[^,]*), leader='(?P<leader>[^']*)'.*",
        ),
    )
)

_BROD = r"Group member \((?P<group>[^,]+),coor=[^)]*?(?:,generation=(?P<generation>\d+))?\):\s*"
_PYTHON_GENERATION = (
    r"(?:<Generation (?P<number>\d+) \(member_id: (?P<member>[^,]+), protocol:"
    r" (?P<protocol>[^)]+)\)>"
    r"|(?P<generation>\d+))"
)
OTHER_EVENTS = _compiled(
    (
        ("joining", r"\(Re-\)joining group '?(?P<group>[\w.-]+)'?"),
        (
            "joined",
            r"Successfully joined group (?P<group>[\w.-]+) (?:with generation )?"
            + _PYTHON_GENERATION,
        ),
        (
            "joined",
            r"Joined group '(?P<group>[^']+)' \(generation (?P<generation>\d+)\) with member_id "
            r"(?P<member>\S+)",
        ),
        (
            "synced",
            r"Successfully synced group (?P<group>[\w.-]+) with generation " + _PYTHON_GENERATION,
        ),
        (
            "elected",
            r"Elected group leader -- performing partition assignments using (?P<protocol>[\w-]+)",
        ),
        (
            "assigned",
            r"Setting newly assigned partitions (?P<partitions>.*?) for group (?P<group>[\w.-]+)",
        ),
        (
            "revoked",
            (
                r"Revoking previously assigned partitions (?P<partitions>.*?) for group"
                r" (?P<group>[\w.-]+)"
            ),
        ),
        ("rebalancing", r"Heartbeat failed for group (?P<group>[\w.-]+) because it is rebalancing"),
        ("session_timeout", r"Heartbeat session expired"),
        (
            "poll_timeout",
            r"Heartbeat poll expired, leaving group|poll timeout has expired",
        ),
        (
            "heartbeat_failed",
            r"(?:Heartbeat failed(?: for group (?P<group>[\w.-]+))?:? (?:because )?)?"
            r"(?P<reason>(?:local member_id was not recognized|generation id is not"
            r" current)[^;.]*)",
        ),
        (
            "left",
            r"Leaving consumer group(?: \(?(?P<group>[\w.-]+)\)?)?|LeaveGroup request .*succeeded",
        ),
        ("rejoin_requested", r"(?P<reason>Metadata for topic has changed[^.]*)"),
        (
            "rejoin_requested",
            r"consumergroup/(?P<group>[^ /]+) (?P<reason>loop check partition number .*changed from"
            r" .*? to [^\]]*\]?)",
        ),
        (
            "lost",
            r"consumergroup/(?P<group>[^ /]+): lost ownership of (?P<partitions>map\[.*\]\]) due to"
            r" (?P<reason>.*)",
        ),
        (
            "fenced",
            r"given member\.id (?P<member>\S+) is identified as a known static member "
            r"(?P<instance>[^,]+), ?(?P<reason>but not matching the expected member\.id \S+)",
        ),
        ("fenced", r"JoinGroup failed: group instance id (?P<instance>\S+) has been fenced"),
        ("assigned", r"(?P<group>[\w.-]+): partitions assigned: \[(?P<partitions>[^\]]*)\]"),
        (
            "rejoin_requested",
            _BROD + r"re-joining group, reason: ?(?P<reason>.*)",
        ),
        ("assigned", _BROD + r"assignments received:(?P<partitions>)"),
        ("joined", _BROD + r"elected=\w+"),
        ("left", _BROD + r"leaving group, reason: ?(?P<reason>.*)"),
        (
            "joined",
            r"joined group (?P<group>[\w.-]+) as member (?P<member>.+?) in generation "
            r"(?P<generation>\d+)",
        ),
    )
)
SIGNS = tuple(
    sign.encode()
    for sign in [
        "clientId=",
        "[thrd:",
        "#consumer-",
        "stream-thread [",
        "stream-client [",
        "joining group",
        "oined group",
        "synced",
        "Heartbeat",
        "eaving ",
        "consumergroup/",
        "assigned partitions",
        "kafkajs",
        "[ConsumerGroup]",
        "[Runner]",
        "Elected group",
        "Metadata for topic",
        "new group session",
        "heartbeat errored",
        "revoking prior",
        "given member.id",
        "oined, balancing",
        '"joined"',
        "] joined;",
        '"balanced',
        "] balanced",
        "LeaveGroup",
        "JoinGroup failed",
        "partitions assigned: [",
        "Group member (",
    ]
)
"""Every line with a client's message contains at least one of these texts."""

_PARTITION = re.compile(
    r"TopicPartition\(topic=u?'([^']+)', partition=(\d+)\)|([A-Za-z0-9._-]+)-(\d+)(?![\w.-])"
)
_LISTS = re.compile(r"([A-Za-z0-9._-]+):? ?\[([\d,\s]+)\]")
_MEMBER_ASSIGNMENT = re.compile(
    r"([^,{}\s=][^={}]*)=Assignment\(partitions=\[([^\]]*)\](?:, userDataSize=\d+)?\)"
)

_PLAN = re.compile(r"([^\s,{}]+)\{([^{}]*)\}")


def partitions_of(text: str) -> dict[str, list[int]]:
    """Return the partitions by topic in texts such as `t-0, u-1`, `t [0 1]`, `map[t:[0 1]]`."""
    held: dict[str, list[int]] = {}
    if _LISTS.search(text) and "TopicPartition" not in text:
        for topic, numbers in _LISTS.findall(text):
            held.setdefault(topic, []).extend(map(int, re.findall(r"\d+", numbers)))
        return held
    for python, number, topic, last in _PARTITION.findall(text):
        held.setdefault(python or topic, []).append(int(number or last))
    return held


def assignment_of(text: str) -> dict[str, dict[str, list[int]]]:
    """Return each member's partitions in an assignment that a leader of Java's consumer logged."""
    return {
        member.strip(): partitions_of(partitions)
        for member, partitions in _MEMBER_ASSIGNMENT.findall(text)
    }


def plan_of(text: str) -> dict[str, dict[str, list[int]]]:
    """Return each member's partitions in a plan that a franz-go leader logged."""
    return {member: partitions_of(held) for member, held in _PLAN.findall(text)}


def message_of(
    text: str, events: list[tuple[str, re.Pattern]], whole: bool
) -> dict[str, Any] | None:
    """Return the event and the values of the message in a text, None if it has no message. `whole`:
    the text must start with the message.
    """
    for event, pattern in events:
        match = pattern.match(text) if whole else pattern.search(text)
        if match is None:
            continue
        parts = {name: part for name, part in match.groupdict().items() if part is not None}
        if "number" in parts:
            parts["generation"] = parts.pop("number")
        return {"event": event, **parts}
    return None
