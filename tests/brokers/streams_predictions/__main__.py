"""Whether the task assignors and the probing rebalances say beforehand what real Kafka Streams applications then do.

python -m tests.brokers.streams_predictions
"""

import argparse
import sys
from collections.abc import Callable

from data.configuration.profile import Profile
from data.live.connection import Connection
from tests.brokers.applications import Applications
from tests.brokers.broker import Brokers
from tests.brokers.streams_predictions.experiment import Experiment, Row
from tests.brokers.streams_predictions.real import RealApplication, make_sources

BROKER = {
    "group.streams.num.standby.replicas": "1",
    "group.streams.initial.rebalance.delay.ms": "0",
    "group.streams.session.timeout.ms": "6000",
    "group.streams.min.session.timeout.ms": "6000",
    "group.streams.heartbeat.interval.ms": "500",
    "group.streams.min.heartbeat.interval.ms": "500",
}
LEADER = {"acceptable.recovery.lag": 100, "max.warmup.replicas": 2, "num.standby.replicas": 1, "probing.rebalance.interval.ms": 60_000}
"""Settings of the leader of the classic application."""

SLOW = {"restore_consumer_max_poll_records": "100", "pause": "100"}
"""Each process restores some 1,000 records/s: copies are not filled before a rebalance that comes at once, but within a probing interval."""


def main() -> None:
    """Run one application of each protocol through the same changes, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--protocol", choices=("classic", "streams"), action="append")
    parser.add_argument("--records", type=int, default=30_000, help="in the topic that the stores count")
    options = parser.parse_args()
    with Brokers(settings=BROKER) as brokers:
        connection = Connection(Profile("streams-predictions", {"bootstrap.servers": brokers.bootstrap()}))
        make_sources(connection, options.records)
        for protocol in options.protocol or ("classic", "streams"):
            with Applications(brokers.bootstrap()) as instances:
                print_table(protocol, RUNS[protocol](connection, instances, options.records).rows)
        connection.close()


def _classic(connection: Connection, instances: Applications, records: int) -> Experiment:
    given = {key.replace(".", "_"): str(value) for key, value in LEADER.items()}
    real = RealApplication(connection, instances, "classic", records, statestore_cache_max_bytes="0", **SLOW, **given)
    return _changed(real, "high-availability", LEADER, Applications.stop)


def _streams(connection: Connection, instances: Applications, records: int) -> Experiment:
    real = RealApplication(connection, instances, "streams", records, group_protocol="streams", statestore_cache_max_bytes="0")
    return _changed(real, "streams-group-sticky", {"num.standby.replicas": 1}, Applications.leave)


RUNS = {"classic": _classic, "streams": _streams}


def _changed(real: RealApplication, assignor: str, settings: dict, kill: Callable[[Applications, str], None]) -> Experiment:
    for name in "abc":
        real.start(name, threads=2 if name == "a" else 1)
    experiment = Experiment(real, assignor, settings)
    experiment.end("b", kill)
    experiment.start("d")
    experiment.back("b")
    experiment.end("a", kill)
    return experiment


def print_table(protocol: str, rows: list[Row]) -> None:
    """Print a row for each change."""
    print(
        f"| {protocol}: change | rounds predicted | found | roles the same | seconds predicted | found | replays that agree |\n|"
        + "---|" * 7
    )
    for row in rows:
        seconds = "–" if row.predicted_seconds is None else f"{row.predicted_seconds:.0f}"
        same = f"{row.same} of {row.roles}" if row.roles else "–"
        print(
            f"| {row.change} | {row.predicted or '–'} | {row.found or '–'} | {same} | {seconds} | {row.found_seconds:.0f} | {row.replays[0]} of {row.replays[1]} |"
        )
    sys.stdout.flush()


if __name__ == "__main__":
    main()
