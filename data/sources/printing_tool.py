"""Names of the tools that printed a table, keys or metrics. The names are only shown; they do not
change how cells are read.
"""

import re

_MOST = 20_000

_TOOLS = tuple(
    (name, re.compile(pattern, re.MULTILINE | re.IGNORECASE))
    for name, pattern in (
        ("rpk cluster offsets", r"\brpk cluster offsets\b"),
        ("rpk group describe", r"^BALANCER\b|^COORDINATOR-(?:NODE|PARTITION)\b|\"?coordinator_p"),
        ("rpk group describe", r"^(?>.*?\bLOG-START-OFFSET\b).*\bLOG-END-OFFSET\b"),
        ("kaf group describe", r"^[ \t]*Partition[ \t]+Group Offset[ \t]+High Watermark"),
        ("kafkactl describe consumer-group", r"newest_?offset"),
        ("confluent kafka consumer group lag list", r"Consumer ?Group(?:Id)?\s*\|\s*Lag\b"),
        ("confluent kafka consumer group lag list", r"\"?\bconsumer_group\"?\s*:"),
        ("consumer lags of Confluent REST v3", r"KafkaConsumerLag"),
        (
            "Redpanda Console",
            r"\A(?>[\s\S]*?\"topicOffsets\")[\s\S]*\"partitionOffsets\"\s*:\s*\[\s*\{",
        ),
        ("CMAK", r"Consumer Instance Owner|\"partitionLatestOffsets\""),
        ("AKHQ", r"\"(?:activeTopics|topicLags)\""),
        ("AKHQ", r"\A(?>[\s\S]*?\"firstOffset\")[\s\S]*\"lastOffset\""),
        ("kafbat UI", r"\"consumerLag\"|^\"?Topic\"?[,;]\"?Partition\"?[,;]\"?Consumer ID"),
        ("Burrow", r"\"current[-_]lag\"|/v3/kafka/"),
        (
            "kcat",
            r"^[ \t]*topic \"[^\"\n]+\" with \d+ partitions:|^\S+ \[\d+\]:? offset -?\d+[ \t]*$",
        ),
        (
            "the formatter of __consumer_offsets",
            r"^\[[^\]\n]+\]::|\"key\"\s*:\s*\{\s*\"(?:type|ver)",
        ),
        ("kt group", r"\"name\"\s*:\s*\"[^\"]*\",\s*\"topic\"\s*:\s*\"[^\"]*\",\s*\"offsets\""),
        ("Metricbeat", r"kafka\.consumergroup\.|\"consumergroup\"\s*:\s*\{"),
        ("an answer of Prometheus", r"\"resultType\"|\"metric\"\s*:\s*\{"),
        ("a frame of Grafana", r"\"frames\"\s*:"),
        ("kafka-lag-exporter", r"^kafka_consumergroup_group_"),
        ("kafka_exporter", r"^kafka_consumergroup_"),
        ("kminion", r"^kminion_"),
        ("metrics of Redpanda", r"^redpanda_"),
        ("klag-exporter", r"^klag_"),
        ("an exporter of Burrow", r"^burrow_"),
        ("metrics of Confluent Cloud", r"^confluent_kafka_server_"),
        ("metrics of a Java consumer", r"^\w*records_lag\b"),
    )
)
"""The first matching tool counts. No pattern may scan the rest of the text from each line, because
that takes quadratic time.
"""


def tool_of(text: str) -> str | None:
    """Return the tool that printed a text, None if it is not known."""
    start = text[:_MOST]
    return next((name for name, pattern in _TOOLS if pattern.search(start)), None)
