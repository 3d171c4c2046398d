"""kminion by Redpanda. It reports commits only as sums by topic.

So a partition's commit is computed: end offset minus lag.
"""

from evenkeel.data.prometheus.exporter import Exporter

EXPORTER = Exporter(
    "kminion",
    commit=None,
    end="kminion_kafka_topic_partition_high_water_mark",
    begin="kminion_kafka_topic_partition_low_water_mark",
    lag="kminion_kafka_consumer_group_topic_partition_lag",
    group="group_id",
    topic="topic_name",
    partition="partition_id",
    sums=(
        "kminion_kafka_consumer_group_topic_lag",
        "kminion_kafka_consumer_group_topic_offset_sum",
        "kminion_kafka_topic_high_water_mark_sum",
    ),
)
