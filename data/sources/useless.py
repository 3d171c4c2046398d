"""Known reports without offsets of partitions. Each is refused with its name and the command that
prints the missing offsets.
"""

import re
from typing import NamedTuple

from evenkeel.data.errors import SnapshotError

_MOST = 20_000


class Report(NamedTuple):
    """A known report. `name`: the report and its tool. `lacks`: the missing data. `instead`: the
    command that prints the missing data.
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
        r"<!doctype html|<html\b|<t[rdh]\b[^>]*>",
        "the source of a web page",
        "table as text",
        "open the page, select its table and copy that",
    ),
    _report(
        r"\"?group ?id\"?[,;]\"?(?:num of )?members\"?[,;]\"?(?:num of )?topics\"?[,;]"
        r"|^[ \t]*\"?Topic\"?[,;] ?\"?Consumer lag\"?[ \t\r]*$"
        r"|\"partitionAssignor\"(?![\s\S]*\"partitions?\"\s*:)[\s\S]*\"consumerLag\"|\"pageCount\"",
        "the list of groups of kafbat UI",
        "partitions",
        f"print the group itself: {_KAFBAT}",
    ),
    _report(
        r"max[ _]lag[ _]consumer|max[ _]lag[ _]partition|KafkaConsumerGroupLagSummary",
        "a summary of the confluent CLI (lag summarize) or of REST v3",
        "partitions",
        "print confluent kafka consumer group lag list GROUP",
    ),
    _report(
        r"^[ \t]*\|?[ \t]*Cluster[ \t]*[|\t][ \t]*Consumer Group[ \t]*[|\t][ \t]*(Simple|State"
        r"|Partition Assignor)|is_simple\"|"
        r"\|\s*Partition Assignor\s*\||\"KafkaConsumerGroup(?:List)?\"",
        "the list or the description of a group by the confluent CLI",
        "offsets of partitions",
        "print confluent kafka consumer group lag list GROUP",
    ),
    _report(
        r"^BROKER\s+GROUP(\s+STATE)?\s*$|^GROUP\s+\S+\s*\n(?:COORDINATOR\S*\s.*\n|STATE\s.*\n|BALANCER\s.*\n|"
        r"MEMBERS\s.*\n|ERROR.*\n)+TOTAL-LAG\s+\d+\s*$|^TOPIC\s+LAG\s*$",
        "a list or a summary of groups by rpk",
        "partitions",
        "print rpk group describe GROUP",
    ),
    _report(
        r"^CONSUMER_GROUP(\s+TOPICS?)?\s*$",
        "the list of groups of kafkactl",
        "partitions",
        "print kafkactl describe consumer-group GROUP",
    ),
    _report(
        r"^NAME\s+STATE\s+CONSUMERS\s*$",
        "the list of groups of kaf",
        "partitions",
        "print kaf group describe GROUP",
    ),
    _report(
        r"\"consumers\"\s*:\s*\[\s*(\"|\])",
        "the list of groups of Burrow",
        "partitions",
        "print the answer of /v3/kafka/CLUSTER/consumer/GROUP/lag",
    ),
    _report(
        r"\"partitions\"\s*:\s*(?:\[\s*\]|null)[\s\S]*\"/v\d/kafka/[^\"/]*/consumer/",
        "a status by Burrow of a group without partitions",
        "offsets of partitions",
        "print the answer of /v3/kafka/CLUSTER/consumer/GROUP/lag once the group has commits",
    ),
    _report(
        r"\"(?:activeTopics|topicLags)\"|\"results\"\s*:\s*\[[\s\S]*\"coordinator\"",
        "a group or a list of groups by AKHQ without offsets",
        "offsets of partitions",
        "print the answer of GET /api/CLUSTER/group/GROUP",
    ),
    _report(
        r"^GROUP\s+(?:STATE|TYPE|PROTOCOL)(?:\s+(?:STATE|TYPE|PROTOCOL))*\s*$",
        "a list of groups by Kafka's tool",
        "offsets",
        f"print {_DESCRIBE}",
    ),
    _report(
        r"consumer instance owner",
        "a page of CMAK",
        "topic",
        "name it with --topic, or put it above the table as a heading",
    ),
    _report(
        r"SumOffsetLag|MaxOffsetLag|EstimatedMaxTimeLag",
        "metrics of MSK in CloudWatch",
        "partitions",
        f"print OffsetLag of each partition, or {_DESCRIBE}",
    ),
    _report(
        r"\[Group(Coordinator|MetadataManager)[ \]]",
        "a broker's log",
        "offsets",
        "evenkeel rebalances FILE reads it",
    ),
    _report(
        r"\[(Consumer|Worker) (?:instanceId=\S+, )?clientId=|\[thrd:[^\]]*\]",
        "a log of clients",
        "offsets",
        "evenkeel rebalances FILE reads it",
    ),
)


def refuse(file: str, head: bytes) -> None:
    """Refuse a known report without offsets.

    Raises
    ------
    SnapshotError
        For such a report; the message names the report, the missing data and the right command.
    """
    text = head[:_MOST].decode("utf-8", "replace")
    for report in _REPORTS:
        if report.pattern.search(text):
            raise SnapshotError(
                f"{file} is {report.name}: it has no {report.lacks}; {report.instead}"
            )
