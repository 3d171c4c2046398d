"""kafka_exporter by danielqsj, which Strimzi deploys; -1 means that nothing is committed."""

from evenkeel.data.prometheus.exporter import Exporter

EXPORTER = Exporter(
    "kafka_exporter",
    commit="kafka_consumergroup_current_offset",
    end="kafka_topic_partition_current_offset",
    begin="kafka_topic_partition_oldest_offset",
    lag="kafka_consumergroup_lag",
    group="consumergroup",
    sums=("kafka_consumergroup_current_offset_sum", "kafka_consumergroup_lag_sum"),
)
