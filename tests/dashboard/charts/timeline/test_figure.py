"""The figure of the Timeline."""

import numpy as np

from assignors.history.member_lags import MemberLags
from assignors.history.spells import Burst
from dashboard import theme
from dashboard.charts.timeline.figure import timeline

LAGS = MemberLags(
    time=np.array([0.0, 30.0, 60.0, 600.0, 630.0]),
    stretch=np.array([0, 0, 0, 1, 1]),
    member=np.array([1, 0]),
    lag=np.array([[1, 2, 0], [4, 2, 0], [6, 2, 0], [9, 0, 0], [9, 1, 0]]),
    total=np.array([3, 6, 8, 9, 10]),
    unknown_count=np.array([0, 0, 0, 0, 2]),
    other_count=0,
    has_unowned=False,
)


def drawn(bursts=()):
    return timeline(LAGS, ("b", "a"), bursts, 0.0, 630.0)


def test_areas_stand_on_each_other_and_a_gap_stays_open():
    worst, second, *_ = drawn().data

    assert (worst.name, worst.fillcolor, second.fillcolor) == ("b", theme.MEMBERS[0], theme.MEMBERS[1])
    assert np.nan_to_num(worst.y, nan=-1).tolist() == [1, 4, 6, 0, 0, 0, 1, -1, 9, 9, 0, 0, 9, -1]
    assert second.y[:6].tolist() == [3, 6, 8, 6, 4, 1]
    assert np.nan_to_num(second.x, nan=-1).tolist()[:8] == [0, 30_000, 60_000, 60_000, 30_000, 0, 0, -1]


def test_the_line_is_the_sum_and_ends_at_a_gap():
    line = drawn().data[2]

    assert (line.name, np.nan_to_num(line.y, nan=-1).tolist()) == ("total", [3, 6, 8, -1, 9, 10, -1])


def test_a_pointer_anywhere_reads_exact_numbers_and_how_many_are_unknown():
    bars = drawn().data[3]

    assert bars.customdata.tolist()[2] == [8, 6, 2]
    assert "b: %{customdata[1]:,}" in bars.hovertemplate and "a: %{customdata[2]:,}" in bars.hovertemplate
    assert bars.text[4] == "00:10 UTC<br>2 unknown lags"


def test_members_without_lag_are_not_in_the_legend_and_rebalances_are_counted():
    figure = drawn((Burst((1, 2), 30.0, 60.0), Burst((3,), 600.0, 600.0)))
    texts = [one.text for one in figure.layout.annotations]

    assert [one.x0 for one in figure.layout.shapes] == [30_000, 600_000]
    assert {"↻ 2", "↻ 1", "peak 10", "no reading"} <= set(texts)
    assert "others" not in texts[-1] and "rebalances" in texts[-1]
