"""The numbers above a comparison where some lags are unknown."""

import numpy as np
import pytest

from evenkeel.assignors.compare.comparison import compare, row_of
from evenkeel.assignors.diagnosis.finding import GAIN
from evenkeel.assignors.group.lag import page_lag
from evenkeel.dashboard.compare.head import kpis
from evenkeel.dashboard.view import View
from tests.assignors.groups import assignment, group


def shown(lag, current, candidate):
    """Return value, note and tone of the worst member now and with the candidate."""
    snapshot = group({"t": 3}, A="t", B="t", lag=lag)
    now = assignment(snapshot, **current)
    view = View(None, compare(snapshot, now, []), snapshot.member_id, np.arange(2))
    cells = kpis(
        view,
        row_of(snapshot, page_lag(snapshot), now, "sticky", assignment(snapshot, **candidate)),
        None,
        GAIN,
    )
    return [(cell.value, cell.note.replace("\u202f", " "), cell.tone) for cell in cells[1:3]]


def test_a_worst_member_of_whom_nothing_but_0_is_known_is_at_least_0():
    assert (
        shown([0, None, 0], {"A": "t-0 t-1", "B": "t-2"}, {"A": "t-0", "B": "t-1 t-2"})[0][0]
        == "≥ 0"
    )


@pytest.mark.parametrize(
    ("lag", "candidate", "worst"),
    [
        ([9, 9, 3], {"A": "t-0", "B": "t-1 t-2"}, ("12", "▼ −33 % · B", "better")),
        ([9, 9, None], {"A": "t-0", "B": "t-1 t-2"}, ("≥ 9", "≈ −50 % · A", "")),
        ([9, 9, None], {"A": "t-0 t-1", "B": "t-2"}, ("≥ 18", "= · A", "")),
        ([9, 9, None], {"A": "t-2", "B": "t-0 t-1"}, ("≥ 18", "B", "")),
    ],
)
def test_a_change_is_better_or_worse_only_where_no_unknown_lag_could_turn_it(lag, candidate, worst):
    assert shown(lag, {"A": "t-0 t-1", "B": "t-2"}, candidate)[1] == worst
