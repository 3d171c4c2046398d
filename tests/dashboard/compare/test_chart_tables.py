"""The figures behind the charts of Compare."""

import numpy as np
import pytest

from evenkeel.assignors.compare.comparison import compare, row_of
from evenkeel.assignors.group.lag import page_lag
from evenkeel.dashboard.compare.members import member_figures
from evenkeel.dashboard.names import under
from evenkeel.dashboard.view import View
from tests.assignors.groups import assignment, group

NOW, AFTER = "now", under("sticky")


@pytest.mark.parametrize(
    ("lag", "lags", "unknown"),
    [
        ([5, 3], {NOW: [8, 0], AFTER: [5, 3]}, {}),
        ([5, None], {NOW: [5, 0], AFTER: [5, -1]}, {NOW: [1, 0], AFTER: [0, 1]}),
    ],
)
def test_a_lag_that_is_a_lower_bound_stands_beside_the_number_of_unknown_ones(lag, lags, unknown):
    snapshot = group({"t": 2}, A="t", B="t", lag=lag)
    now = assignment(snapshot, A="t-0 t-1")
    candidate = row_of(
        snapshot, page_lag(snapshot), now, "sticky", assignment(snapshot, A="t-0", B="t-1")
    )
    comparison = compare(snapshot, now, [])

    table = member_figures(
        View(None, comparison, snapshot.member_id, np.arange(2)), comparison.rows[0], candidate
    )

    found = {name: table[name].fillna(-1).tolist() for name in table.columns[2:]}
    partitions = {NOW: [2, 0], AFTER: [1, 1]}
    assert found == {
        f"{noun} {word}": values
        for noun, of in (("Lag", lags), ("Lag unknown", unknown), ("Partitions", partitions))
        for word, values in of.items()
    }
