"""What is known of a group without members: its lag, partition by partition, and what is stuck."""

import numpy as np
import pandas as pd

from assignors.group import UNKNOWN
from assignors.group.lag import UNKNOWN_LAG, total_lag
from dashboard.tables.moves import known_lag, where_known
from dashboard.view import View
from dashboard.widgets.compare.member_partitions import remarks
from dashboard.widgets.parts import kpi_strip, long_table
from dashboard.widgets.parts.kpi_strip import Kpi
from dashboard.words.formats import compact, compact_sum, count, exact
from dashboard.words.names import partition_name


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
            Kpi("Total lag", compact_sum(total_lag(lag), bool(unknown)), f"{count(unknown, 'partition')} unknown" if unknown else "records"),
            Kpi("Most lag", compact(int(lag[worst]) if lag[worst] != UNKNOWN_LAG else None), name if lag[worst] > 0 else ""),
            Kpi("Stuck", exact(stuck if unknown < lag.size else None), "partitions with lag and no consumer", "worse" if stuck else ""),
            Kpi("Partitions", exact(group.tp_count), count(sum(group.topic_known.tolist()), "topic")),
        ]
    )
    long_table.show(_partitions(view), "Lag per partition")


def _partitions(view: View) -> pd.DataFrame:
    group, lag = view.comparison.group, view.comparison.lag
    tps = np.argsort(-lag, kind="stable")
    topic, partition = group.tp_topic[tps], group.tp_partition[tps]
    return pd.DataFrame(
        {
            "Partition": [partition_name(group.topic_name[one], number) for one, number in zip(topic, partition, strict=True)],
            "Lag, records": known_lag(lag[tps]),
            "Committed": where_known(group.committed_offset[tps], group.committed_offset[tps] != UNKNOWN),
            "End": where_known(group.end_offset[tps], group.end_offset[tps] != UNKNOWN),
            "Remark": remarks(group, tps, np.ones(tps.size, dtype=bool)),
        }
    )
