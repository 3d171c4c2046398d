"""Metrics and labels of each exporter, one file for each exporter."""

from evenkeel.data.prometheus.exporters import kafka_exporter, kafka_lag_exporter, klag, kminion

EXPORTERS = tuple(module.EXPORTER for module in (kafka_exporter, kafka_lag_exporter, klag, kminion))
