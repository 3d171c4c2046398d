"""The newest slot of a store whose exporters are scraped out of step."""

import numpy as np
import pytest

from evenkeel.data.prometheus.last import newest
from evenkeel.data.prometheus.slots import Slots

_NONE = np.zeros(0, dtype=np.int64)


def slots(interval: float, *groups: str) -> list[tuple[Slots, int]]:
    """Slots 30 s apart, each with some groups, one letter each."""
    keys = tuple((name, "orders", 0) for name in sorted(set("".join(groups))))
    names = [key[0] for key in keys]
    rows = [(row, names.index(name)) for row, some in enumerate(groups) for name in some]
    slot, key = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    time = 30_000 * np.arange(len(groups), dtype=np.int64)
    part = Slots(time, interval, keys, slot, key, _NONE, _NONE, _NONE, _NONE)
    return [(part, row) for row in range(len(groups))]


@pytest.mark.parametrize(
    ("interval", "groups", "row"),
    [
        # Exporters a and b out of step: the last slot has b alone.
        (30.0, ("ab", "ab", "ab", "b"), 2),
        (30.0, ("ab", "ab", "ab"), 2),
        # Group a was deleted three slots ago.
        (30.0, ("ab", "b", "b", "b"), 3),
        (float("nan"), ("ab", "b"), 1),
    ],
)
def test_the_newest_slot_has_the_groups_of_all_exporters(interval, groups, row):
    assert newest(slots(interval, *groups))[1] == row
