"""What the side-by-side table has to show: how many times as long each peer takes at least."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tests.benchmarks.assignors.rows import Row
from tests.benchmarks.assignors.timing import Ratio


class Goal(NamedTuple):
    """`peer` takes `least` times as long in each case of each assignor, both regular expressions;
    None is no goal. `from_ms`: only where the peer takes that long.
    """

    assignor: str
    case: str
    peer: str
    least: float | None
    from_ms: float = 0


_ANY = ".*"
_STICKY, _UNIFORM, _OTHERS = "sticky", "Kafka uniform, broker", "kafka-python|sarama|librdkafka"
GOALS = (
    Goal("range|roundrobin", "S-.*", _ANY, None),
    Goal("range|roundrobin", "[DM]-eq-.*", _ANY, 8),
    Goal("range|roundrobin", "L-eq-.*", _ANY, 500),
    Goal("range|roundrobin", "[DML]-win-.*", _ANY, 1.5),
    Goal(_STICKY, "S-eq-.*", "Kafka", 1.5),
    Goal(_STICKY, "S-eq-.*", "franz-go", 1),
    Goal(_STICKY, "S-eq-.*", _UNIFORM, 0.3),
    Goal(_STICKY, "[DM]-eq-.*", "Kafka", 8),
    Goal(_STICKY, "[DM]-eq-.*", "franz-go", 4),
    Goal(_STICKY, "[DM]-eq-.*", _UNIFORM, 1),
    Goal(_STICKY, "L-eq-.*", "Kafka", 100),
    Goal("cooperative-sticky", "L-eq-.*", "Kafka", 60),
    Goal(_STICKY, "L-eq-.*", "franz-go", 80),
    Goal(_STICKY, "L-eq-.*", _UNIFORM, 15),
    Goal(_STICKY, "[DML]-(odd|win)-.*", "Kafka", 2),
    Goal(_STICKY, "M-(odd|win)-.*", "Kafka", 500, from_ms=1000),
    Goal(_STICKY, "L-(odd|win)-.*", "franz-go", 4),
    Goal(_STICKY, "L-(odd|win)-.*", _UNIFORM, 1.5),
    Goal(_STICKY, "D-(odd|win)-.*", "franz-go", 2.5),
    Goal(_STICKY, "D-(odd|win)-.*", _UNIFORM, 1.5),
    Goal(_STICKY, "[SM]-(odd|win)-.*", "franz-go", None),
    Goal(_STICKY, "[SM]-(odd|win)-.*", _UNIFORM, None),
    Goal("uniform", "[SDML]-.*", "Kafka", None),
    Goal(".*sticky|range|roundrobin", "S-.*", _OTHERS, 4),
    Goal(".*sticky", "[DM]-.*", _OTHERS, 100),
    Goal("lag", "10 topics x 100, 10 members", "Kafka", 3),
    Goal("lag", "1 topic x 100000, 100 members", "Kafka", 15),
    Goal("lag", "1 topic x 100000, 2000 members", "Kafka", 200),
    Goal("lag", "500 topics x 2000, 2000 members", "Kafka", 400),
)


def verdicts(rows: Sequence[Row]) -> Iterator[str]:
    """Yield a line for each goal about which something was measured: the least ratio found, and in
    which case.
    """
    for goal in GOALS:
        found = sorted(_ratios(goal, rows))
        if found:
            ratio, where = found[0]
            judged = (
                "no goal"
                if goal.least is None
                else f"goal {goal.least:g}, {'met' if ratio >= goal.least else 'MISSED'}"
            )
            yield (
                f"| {goal.assignor} | {goal.case} | {goal.peer} | {ratio:,.2f} in {where} |"
                f" {len(found)} | {judged} |"
            )


def _ratios(goal: Goal, rows: Sequence[Row]) -> Iterator[tuple[float, str]]:
    for row in rows:
        if re.fullmatch(goal.assignor, row.assignor) and re.fullmatch(goal.case, row.case):
            for peer, ratio in (row.ratios | row.quoted).items():
                value, peer_ms = (
                    (ratio.median, ratio.peer_ms) if isinstance(ratio, Ratio) else (ratio, 0.0)
                )
                if (
                    re.fullmatch(goal.peer, peer)
                    and isinstance(value, float)
                    and peer_ms >= goal.from_ms
                ):
                    yield value, f"{row.assignor} {row.case}, {peer}"
