"""Series of a store: a group of two partitions that kafka_exporter showed every minute."""

from datetime import datetime, timedelta

from tests.services.stores import Row, series_row

GROUP = "pay"
MINUTES = 120
GAP = range(30, 36)
"""Minutes without a scrape."""

STUCK_FROM = 60
"""Partition 1 makes no progress from this minute on."""


def scraped(end: datetime, group: str = GROUP) -> list[Row]:
    """Return the series of two hours up to a time; 600 records a minute come in."""
    first = end - timedelta(minutes=MINUTES - 1)
    minutes = [minute for minute in range(MINUTES) if minute not in GAP]
    target = {"job": "kafka", "instance": "exporter:9308"}
    rows = []
    for partition in range(2):
        place = {"topic": "orders", "partition": partition, **target}
        ends = [1000 + 600 * minute for minute in minutes]
        progress = [min(minute, STUCK_FROM) if partition else minute for minute in minutes]
        commits = [1000 + 600 * minute - 5 for minute in progress]
        times = [(first + timedelta(minutes=minute)).timestamp() + 0.25 for minute in minutes]
        # Within a scrape the exporter reads its lag later than the end.
        lags = [max(end - commit, 0) + 4 for end, commit in zip(ends, commits, strict=True)]
        of_group = {"consumergroup": group, **place}
        for name, values, labels in (
            ("kafka_consumergroup_current_offset", commits, of_group),
            ("kafka_consumergroup_lag", lags, of_group),
            ("kafka_topic_partition_current_offset", ends, place),
            ("kafka_topic_partition_oldest_offset", [0] * len(times), place),
        ):
            rows.append(series_row(name, list(zip(times, values, strict=True)), **labels))
    return rows
