"""What is known of a group without members: its lag, partition by partition, and what is stuck."""

from evenkeel.assignors.group.lag import UNKNOWN_LAG, total_lag
from evenkeel.dashboard.tables import moves
from evenkeel.dashboard.view import View
from evenkeel.dashboard.widgets.parts import kpi_strip, long_table
from evenkeel.dashboard.widgets.parts.kpi_strip import Kpi
from evenkeel.data.words.formats import compact, compact_sum, count, exact
from evenkeel.data.words.names import partition_name


def show(view: View) -> None:
    """Draw the numbers and the table, most lag first; nothing where the group has no partitions."""
    group, lag = view.comparison.group, view.comparison.lag
    if not group.tp_count:
        return
    unknown, stuck = int((lag == UNKNOWN_LAG).sum()), int((lag > 0).sum())
    worst = int(lag.argmax())
    name = partition_name(group.topic_name[group.tp_topic[worst]], group.tp_partition[worst])
    kpi_strip.show(
        [
            Kpi(
                "Total lag", compact_sum(total_lag(lag), bool(unknown)), f"{count(unknown, 'partition')} unknown" if unknown else "records"
            ),
            Kpi("Most lag", compact(int(lag[worst]) if lag[worst] != UNKNOWN_LAG else None), name if lag[worst] > 0 else ""),
            Kpi("Stuck", exact(stuck if unknown < lag.size else None), "partitions with lag and no consumer", "worse" if stuck else ""),
            Kpi("Partitions", exact(group.tp_count), count(sum(group.topic_known.tolist()), "topic")),
        ]
    )
    long_table.show(moves.of_group(view), "Lag per partition")
