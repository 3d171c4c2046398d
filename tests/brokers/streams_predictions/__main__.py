"""Whether the task assignors and the probing rebalances say beforehand what real Kafka Streams
applications then do.

python -m tests.brokers.streams_predictions
"""

import argparse
from collections.abc import Callable

from evenkeel.data.configuration.clusters import Profile
from evenkeel.data.live.connection import Connection
from tests.brokers.applications import Applications
from tests.brokers.broker import Brokers
from tests.brokers.streams_predictions.experiment import Experiment
from tests.brokers.streams_predictions.real import RealApplication, make_sources

BROKER = {
    "group.streams.num.standby.replicas": "1",
    "group.streams.initial.rebalance.delay.ms": "0",
    "group.streams.session.timeout.ms": "6000",
    "group.streams.min.session.timeout.ms": "6000",
    "group.streams.heartbeat.interval.ms": "500",
    "group.streams.min.heartbeat.interval.ms": "500",
}
LEADER = {
    "acceptable.recovery.lag": 100,
    "max.warmup.replicas": 2,
    "num.standby.replicas": 1,
    "probing.rebalance.interval.ms": 60_000,
}
"""Settings of the leader of the classic application."""

SLOW = {"restore_consumer_max_poll_records": "100", "pause": "100"}
"""Each process restores some 1,000 records/s: copies are not filled before a rebalance that comes
at once, but within a probing interval.
"""


def main() -> None:
    """Run one application of each protocol through the same changes, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--protocol", choices=("classic", "streams"), action="append")
    parser.add_argument(
        "--records", type=int, default=30_000, help="in the topic that the stores count"
    )
    options = parser.parse_args()
    with Brokers(settings=BROKER) as brokers:
        connection = Connection(
            Profile("streams-predictions", {"bootstrap.servers": brokers.bootstrap()})
        )
        make_sources(connection, options.records)
        for protocol in options.protocol or ("classic", "streams"):
            with Applications(brokers.bootstrap()) as instances:
                print_table(protocol, RUNS[protocol](connection, instances, options.records))
        connection.close()


def _classic(connection: Connection, instances: Applications, records: int) -> Experiment:
    given = {key.replace(".", "_"): str(value) for key, value in LEADER.items()}
    real = RealApplication(
        connection, instances, "classic", records, statestore_cache_max_bytes="0", **SLOW, **given
    )
    return _changed(real, "high-availability", LEADER, Applications.stop)


def _streams(connection: Connection, instances: Applications, records: int) -> Experiment:
    real = RealApplication(
        connection,
        instances,
        "streams",
        records,
        group_protocol="streams",
        statestore_cache_max_bytes="0",
    )
    return _changed(real, "streams-group-sticky", {"num.standby.replicas": 1}, Applications.leave)


RUNS = {"classic": _classic, "streams": _streams}


def _changed(
    real: RealApplication, assignor: str, settings: dict, kill: Callable[[Applications, str], None]
) -> Experiment:
    for name in "abc":
        real.start(name, threads=2 if name == "a" else 1)
    experiment = Experiment(real, assignor, settings)
    experiment.end("b", kill)
    experiment.start("d")
    experiment.back("b")
    experiment.end("a", kill)
    return experiment


def print_table(protocol: str, experiment: Experiment) -> None:
    """Print a row for each change, and the roles that came otherwise."""
    names = (
        "rounds predicted",
        "found",
        "seconds predicted",
        "found",
        "roles right by process",
        "by thread",
        "replays that agree",
    )
    print(f"| {protocol}: change | {' | '.join(names)} |\n|" + "---|" * (len(names) + 1))
    print(f"| three instances start |{' – |' * (len(names) - 1)} {_share(experiment.replays)} |")
    for row in experiment.rows:
        times = (f"{row.predicted_seconds:.0f}", f"{row.found_seconds:.0f}")
        cells = (
            row.change,
            row.predicted,
            row.found,
            *times,
            row.processes,
            row.threads,
            _share(row.replays),
        )
        print(f"| {' | '.join(map(str, cells))} |")
    for row in experiment.rows:
        print(
            *(f"{row.change}, {line}" for line in row.threads.lines), sep="\n", end="", flush=True
        )


def _share(counts: tuple[int, int]) -> str:
    return f"{counts[0]} of {counts[1]}" if counts[1] else "–"


if __name__ == "__main__":
    main()
