"""klag by themoah; names from its documentation."""

from evenkeel.data.prometheus.exporter import Exporter

EXPORTER = Exporter(
    "klag",
    commit="klag_consumer_committed_offset",
    end="klag_partition_log_end_offset",
    begin="klag_partition_log_start_offset",
    lag="klag_consumer_lag",
    group="consumer_group",
    sums=("klag_consumer_lag_sum",),
)
