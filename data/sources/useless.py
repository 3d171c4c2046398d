"""Reports that are recognised and have no offsets of partitions: each is answered by its name and
the command that prints the missing offsets.
"""

import re
from typing import NamedTuple

from evenkeel.data.errors import SnapshotError

_MOST = 20_000


class Report(NamedTuple):
    """`name`: of the report and its tool. `lacks`: the missing data. `instead`: the command that
    prints it.
    """

    pattern: re.Pattern
    name: str
    lacks: str
    instead: str


def _report(pattern: str, name: str, lacks: str, instead: str) -> Report:
    return Report(re.compile(pattern, re.MULTILINE | re.IGNORECASE), name, lacks, instead)


_KAFBAT = "open the group and export it, or GET /api/clusters/CLUSTER/consumer-groups/GROUP"
_DESCRIBE = "kafka-consumer-groups.sh --describe --all-groups"
_REPORTS = (
    _report(
        r"\"?groupId\"?,\"?members\"?,\"?topics\"?,|^[ \t]*\"?Topic\"?[,;] ?\"?Consumer lag\"?["
        r" \t\r]*$"
        r"|\"partitionAssignor\"(?![\s\S]*\"partitions?\"\s*:)[\s\S]*\"consumerLag\"|\"pageCount\"",
        "the list of groups of kafbat UI",
        "partitions",
        f"expected the group itself: {_KAFBAT}",
    ),
    _report(
        r"max[ _]lag[ _]consumer|max[ _]lag[ _]partition",
        "a summary of the confluent CLI (lag summarize)",
        "partitions",
        "expected what confluent kafka consumer group lag list GROUP prints",
    ),
    _report(
        r"^[ \t]*\|?[ \t]*Cluster[ \t]*\|[ \t]*Consumer Group[ \t]*\|[ \t]*(Simple|State|Partition"
        r" Assignor)|is_simple\"|"
        r"\|\s*Partition Assignor\s*\|",
        "the list or the description of a group by the confluent CLI",
        "offsets of partitions",
        "expected what confluent kafka consumer group lag list GROUP prints",
    ),
    _report(
        r"^BROKER\s+GROUP(\s+STATE)?\s*$|^GROUP\s+\S+\s*\n(?:COORDINATOR\S*\s.*\n|STATE\s.*\n|BALANCER\s.*\n|"
        r"MEMBERS\s.*\n|ERROR.*\n)+TOTAL-LAG\s+\d+\s*$",
        "a list or a summary of groups by rpk",
        "partitions",
        "expected what rpk group describe GROUP prints",
    ),
    _report(
        r"^CONSUMER_GROUP(\s+TOPICS?)?\s*$",
        "the list of groups of kafkactl",
        "partitions",
        "expected what kafkactl describe consumer-group GROUP prints",
    ),
    _report(
        r"^NAME\s+STATE\s+CONSUMERS\s*$",
        "the list of groups of kaf",
        "partitions",
        "expected what kaf group describe GROUP prints",
    ),
    _report(
        r"\"consumers\"\s*:\s*\[\s*(\"|\])",
        "the list of groups of Burrow",
        "partitions",
        "expected the answer of /v3/kafka/CLUSTER/consumer/GROUP/lag",
    ),
    _report(
        r"SumOffsetLag|MaxOffsetLag|EstimatedMaxTimeLag",
        "metrics of MSK in CloudWatch",
        "partitions",
        f"expected OffsetLag of each partition, or what {_DESCRIBE} prints",
    ),
    _report(
        r"\[Group(Coordinator|MetadataManager)[ \]]",
        "a broker's log",
        "offsets",
        "expected a listing here; evenkeel rebalances FILE reads it",
    ),
    _report(
        r"\[(Consumer|Worker) (?:instanceId=\S+, )?clientId=|\[thrd:[^\]]*\]",
        "a log of clients",
        "offsets",
        "expected a listing here; evenkeel rebalances FILE reads it",
    ),
)


def refuse(file: str, head: bytes) -> None:
    """Refuse a report that is recognised and has no offsets.

    Raises
    ------
    SnapshotError
        For such a report: what it is, what it lacks, and what to print in its place.
    """
    text = head[:_MOST].decode("utf-8", "replace")
    for report in _REPORTS:
        if report.pattern.search(text):
            raise SnapshotError(
                f"{file}: {report.name}, which has no {report.lacks}, {report.instead}"
            )
