"""A restart of a whole group: other ids, the same names, within ten minutes."""

from types import SimpleNamespace

import numpy as np
import pytest

from evenkeel.assignors.group.series import Identity
from evenkeel.data.marks.restarts import Restart, restarts


def _restarts(minutes, rows, names):
    """Rows: ids that are there at each minute, as letters; names: of each id."""
    ids = sorted(names)
    is_member = np.array([[each in row for each in ids] for row in rows])
    series = SimpleNamespace(time=60.0 * np.array(minutes), is_member=is_member)
    return restarts(series, [Identity(client_id=names[each]) for each in ids])


NAMES = {"a": "pay-1", "b": "pay-2", "x": "pay-1", "y": "pay-2"}


def test_all_members_with_other_ids_have_restarted():
    assert _restarts([0, 1, 2, 3], ["ab", "ab", "xy", "xy"], NAMES) == [Restart(120.0, 2)]


def test_one_after_the_other_within_ten_minutes_is_one_restart_at_the_last():
    assert _restarts([0, 1, 2, 3], ["ab", "xb", "xb", "xy"], NAMES) == [Restart(180.0, 2)]


@pytest.mark.parametrize(
    ("minutes", "rows", "names"),
    [
        pytest.param([0, 1, 2], ["ab", "xb", "xb"], NAMES, id="one of two"),
        pytest.param([0, 1, 11, 12], ["ab", "xb", "xb", "xy"], NAMES, id="over ten minutes"),
        pytest.param([0, 1], ["a", "x"], NAMES, id="a group of one"),
        pytest.param([0, 1], ["ab", "xy"], NAMES | {"y": "pay-3"}, id="another consumer"),
        pytest.param([0, 1], ["ab", "xy"], dict.fromkeys("abxy"), id="names unknown"),
    ],
)
def test_this_is_no_restart_of_all(minutes, rows, names):
    assert _restarts(minutes, rows, names) == []
