"""Labels of a group's figures, shared by the strips, table heads and charts of all pages."""

from evenkeel.assignors.group.lag import UNKNOWN_LAG, known_lag, total_lag
from evenkeel.assignors.group.snapshot import GroupSnapshot
from evenkeel.dashboard.parts.kpi_strip import Kpi
from evenkeel.data.group.lag_words import lag_notes
from evenkeel.data.text import names
from evenkeel.data.text.formats import compact_sum

LAG = "Lag"
BEHIND = "Behind"
DRAINED = "Drained"
LOST = "Data lost in"
MEMBERS = "Members"
PARTITIONS = "Partitions"
WORST_MEMBER = names.WORST_MEMBER
WORST_PARTITION = "Worst partition"


def lag_of(group: GroupSnapshot) -> Kpi:
    """Return a group's lag; its note says if some lags are unknown or estimated."""
    lag, notes = known_lag(group), lag_notes(group)
    is_partial = bool((lag == UNKNOWN_LAG).any())
    return Kpi(LAG, compact_sum(total_lag(lag), is_partial), " · ".join(notes) or "records")
