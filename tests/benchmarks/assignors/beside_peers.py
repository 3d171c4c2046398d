"""Our assignors beside Kafka's own classes and kafka-python: `python -m
tests.benchmarks.assignors.beside_peers [ASSIGNOR ...] [--shapes S M D L] [--long [PEER ...]]`.

Each row: the median of our call, in milliseconds, and how many times as long each peer takes (ratio
of medians, range of the paired ratios; a star where something else used the processor). Kafka's
classes run warm in a JVM that keeps the clock itself; input is native to each side. `new` is our
call on a snapshot never asked before, with the columns that later calls find made. franz-go, sarama
and librdkafka are quoted (quoted.csv, measured on a machine of the same kind), not run. Nothing
here passes or fails on time.
"""

import argparse
import os
import re
import sys
from collections.abc import Collection, Iterator

from evenkeel.assignors.group import GroupSnapshot
from tests.benchmarks.assignors.cases import SHAPES, STEPS, SUBSCRIPTIONS, case
from tests.benchmarks.assignors.goals import verdicts
from tests.benchmarks.assignors.rows import Row, row
from tests.benchmarks.assignors.shapes import columns, lags
from tests.judge.judge import Judge

_DEFAULT = ("range", "roundrobin", "sticky", "cooperative-sticky", "uniform", "lag")
_WITHOUT_OWNED = ("range", "roundrobin", "broker-range")
_LAG_SHAPES = (
    (10, 100, 10),
    (100, 100, 100),
    (1, 10_000, 100),
    (1, 2100, 2100),
    (1, 100_000, 100),
    (1, 100_000, 2000),
    (500, 2000, 2000),
)
_LONG = {
    "Kafka": re.compile(r".*sticky (M-win-(fresh|leave|join)|L-(odd|win)-.*)|lag 500 topics.*"),
    "kafka-python": re.compile(r"sticky [DM].*"),
}
"""Where Kafka's class takes five seconds a call or more, kafka-python one second to several
minutes.
"""
_KAFKA = ("Kafka", "Kafka range, broker", "Kafka uniform, broker")
_COLUMNS = ("Kafka", "the broker's own", "kafka-python")
_QUOTED = ("franz-go", "sarama", "librdkafka")


def cases(assignor: str, shapes: list[str]) -> Iterator[tuple[str, GroupSnapshot]]:
    """Yield name and snapshot of each case."""
    if assignor == "lag":
        for topic_count, partition_count, member_count in _LAG_SHAPES:
            name = (
                f"{topic_count} topic{'s' * (topic_count > 1)} x {partition_count}, {member_count}"
                " members"
            )
            yield (
                name,
                columns(
                    topic_count,
                    partition_count,
                    member_count,
                    lag=lags("lognormal", topic_count * partition_count),
                ),
            )
        return
    for shape in shapes:
        for subscriptions in SUBSCRIPTIONS:
            for step in STEPS[:1] if assignor in _WITHOUT_OWNED else STEPS:
                yield f"{shape}-{subscriptions}-{step}", case(shape, subscriptions, step)


def left_out(assignor: str, name: str, long: Collection[str]) -> set[str]:
    """Return the peers that a case is not measured beside: where they take long, unless in `long`;
    kafka-python never ends on a million partitions.
    """
    slow = {peer for peer, cases in _LONG.items() if cases.fullmatch(f"{assignor} {name}")}
    return slow - set(long) | ({"kafka-python"} if name.startswith("L") else set())


def printed(one: Row) -> str:
    """Return a row of the table."""
    broker = next((one.ratios[peer] for peer in _KAFKA[1:] if peer in one.ratios), "")
    measured = [one.ratios.get("Kafka", "–"), broker, one.ratios.get("kafka-python", "")]
    quoted = [
        f"{value:,.2f}" if isinstance(value, float) else value
        for value in (one.quoted.get(peer, "") for peer in _QUOTED)
    ]
    cells = [
        one.assignor,
        one.case,
        f"{one.ours_ms:.3f}",
        f"{one.new_ms:.3f}",
        *map(str, measured),
        *quoted,
        str(one.pairs),
        one.check,
    ]
    return f"| {' | '.join(cells)} |"


def main() -> int:
    """Print the table, and which goals it meets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("assignors", nargs="*", default=_DEFAULT)
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=list(SHAPES))
    parser.add_argument(
        "--cases", default="", help="only cases whose name this regular expression finds"
    )
    parser.add_argument(
        "--long",
        nargs="*",
        choices=list(_LONG),
        help=(
            "these peers, or all, also where Kafka's class takes five seconds a call or more,"
            " kafka-python up to minutes"
        ),
    )
    options = parser.parse_args()
    long = _LONG if options.long == [] else options.long or ()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1])
    rows = []
    print(
        f"| assignor | case | ours ms | new ms | {' | '.join(_COLUMNS)} |"
        f" {' | '.join(f'{peer}, quoted' for peer in _QUOTED)} | pairs | answer |\n{'|---' * 12}|"
    )
    with Judge(memory="14g", options=("-Xms4g", "-Xmn2g")) as judge:
        for assignor in options.assignors:
            for name, group in cases(assignor, options.shapes):
                if re.search(options.cases, name):
                    rows.append(row(judge, assignor, name, group, left_out(assignor, name, long)))
                    print(printed(rows[-1]), flush=True)
    print(f"\n| assignor | case | peer | least ratio | of | goal |\n{'|---' * 6}|")
    print("\n".join(verdicts(rows)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
