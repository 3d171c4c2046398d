"""What exporters call the offsets of groups, a file each."""

from evenkeel.data.prometheus.exporters import kafka_exporter, kafka_lag_exporter, klag, kminion

EXPORTERS = tuple(module.EXPORTER for module in (kafka_exporter, kafka_lag_exporter, klag, kminion))
