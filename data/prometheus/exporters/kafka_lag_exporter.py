"""kafka-lag-exporter by seglo, and klag-exporter, which uses the same names."""

from evenkeel.data.prometheus.exporter import Exporter

EXPORTER = Exporter(
    "kafka-lag-exporter",
    commit="kafka_consumergroup_group_offset",
    end="kafka_partition_latest_offset",
    begin="kafka_partition_earliest_offset",
    lag="kafka_consumergroup_group_lag",
    owner=("client_id", "consumer_id", "member_host"),
    sums=("kafka_consumergroup_group_sum_lag", "kafka_consumergroup_group_topic_sum_lag"),
)
