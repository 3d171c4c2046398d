"""The figure of the Timeline."""

from dataclasses import replace

import numpy as np
import pytest

from evenkeel.assignors.timeline.ownership import Burst
from evenkeel.assignors.timeline.pictures.member_lags import MemberLags
from evenkeel.assignors.timeline.pictures.owners import OwnerRows
from evenkeel.assignors.timeline.pictures.topics import OTHER_TOPICS, TopicRows
from evenkeel.dashboard import theme
from evenkeel.dashboard.parts.text_width import text_width
from evenkeel.dashboard.timeline.figures.figure import Areas, Marks, Owners, Span, timeline
from evenkeel.dashboard.timeline.figures.lag_panel import legend

LAGS = MemberLags(
    time=np.array([0.0, 30.0, 60.0, 600.0, 630.0]),
    stretch=np.array([0, 0, 0, 1, 1]),
    member=np.array([1, 0]),
    lag=np.array([[1, 2, 0], [4, 2, 0], [6, 2, 0], [9, 0, 0], [9, 1, 0]]),
    total=np.array([3, 6, 8, 9, 10]),
    unknown_count=np.array([0, 0, 0, 0, 2]),
    other_count=1,
    has_unowned=False,
)
AREAS = Areas(LAGS, ("b", "a"))
ROWS = OwnerRows(
    tp=np.array([3, 1]),
    lag=np.array([9, -1]),
    change_count=np.array([12, 0]),
    row=np.array([0, 0, 0, 1]),
    owner=np.array([0, -1, 1, 2]),
    begin=np.array([0.0, 300.0, 330.0, 0.0]),
    end=np.array([300.0, 330.0, 630.0, 630.0]),
    member_id=("a", "", "b-2", "c<-9"),
    id_count=np.array([1, 1, 2, 1]),
    is_joined=False,
)
TOPICS = TopicRows(
    topic=np.array([0, OTHER_TOPICS]),
    topic_count=np.array([1, 2]),
    tp_count=np.array([4, 2]),
    lag=np.array([7, -1]),
    change_count=np.array([1, 30]),
    row=np.array([0, 0, 1]),
    owned=np.array([[2, 1, 0, 1], [4, 0, 0, 0], [0, 0, 2, 0]]),
    begin=np.array([0.0, 300.0, 0.0]),
    end=np.array([300.0, 630.0, 630.0]),
    is_joined=False,
)
OWNERS = Owners(ROWS, ("a", "b", "c<"), ("t-3", "t-1"), 8, TOPICS, ("orders<",))


def drawn(bursts=(), moments=(), end=""):
    return timeline(AREAS, OWNERS, Marks(bursts, moments, end), Span(0.0, 630.0))


def runs(figure) -> list[tuple]:
    return [
        (*each,)
        for bar in figure.data
        if bar.name == "owner"
        for each in zip(bar.y, bar.base, bar.x, bar.text, strict=True)
    ]


def test_areas_stand_on_each_other_and_a_gap_stays_open():
    worst, second, *_ = drawn().data

    assert (worst.name, worst.fillcolor, second.fillcolor) == (
        "b",
        theme.MEMBERS[0],
        theme.MEMBERS[1],
    )
    assert np.nan_to_num(worst.y, nan=-1).tolist() == [1, 4, 6, 0, 0, 0, 1, -1, 9, 9, 0, 0, 9, -1]
    assert second.y[:6].tolist() == [3, 6, 8, 6, 4, 1]
    assert np.nan_to_num(second.x, nan=-1).tolist()[:8] == [
        0,
        30_000,
        60_000,
        60_000,
        30_000,
        0,
        0,
        -1,
    ]


def test_the_line_is_the_sum_and_ends_at_a_gap():
    line = drawn().data[2]

    assert (line.name, np.nan_to_num(line.y, nan=-1).tolist()) == (
        "total",
        [3, 6, 8, -1, 9, 10, -1],
    )


def test_a_pointer_anywhere_reads_exact_numbers_and_how_many_are_unknown():
    bars = drawn().data[3]

    assert bars.customdata.tolist()[2] == [8, 6, 2]
    assert "b: %{customdata[1]:,}" in bars.hovertemplate
    assert "a: %{customdata[2]:,}" in bars.hovertemplate
    assert bars.text[4] == "00:10 UTC<br>2 unknown lags"


def test_rebalances_are_counted():
    figure = drawn((Burst((1, 2), 30.0, 60.0), Burst((3,), 600.0, 600.0)))
    texts = [one.text for one in figure.layout.annotations]
    title = next(text for text in texts if text.startswith("<b>Lag by member"))

    assert [one.x0 for one in figure.layout.shapes] == [30_000, 30_000, 600_000, 600_000]
    assert {"↻ 2", "↻ 1", "peak 10", "no reading"} <= set(texts)
    assert "rebalances" in title


def test_the_legend_has_every_colour_that_an_area_or_a_row_has_and_no_other():
    words = next(
        one.text
        for one in drawn().layout.annotations
        if one.text.startswith("<span") and "↻" not in one.text
    )
    no_lag = replace(LAGS, lag=np.zeros((5, 3), dtype=np.int64))

    assert words == "   ".join(
        f"<span style='color:{color}'>■</span> {word}"
        for color, word in (
            (theme.MEMBERS[0], "b"),
            (theme.MEMBERS[1], "a"),
            (theme.OTHERS, "1 other"),
        )
    )
    assert [word for _, _, word in legend(no_lag, ("b", "a"), np.array([False, True, False]))] == [
        "a"
    ]
    assert [word for _, _, word in legend(LAGS, ("b", "a"), np.zeros(3, dtype=bool))] == ["b", "a"]


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (("pay-eu-01-4b1e", "pay-eu-06-77aa"), ["pay-eu-01-4b1e", "pay-eu-06-77aa"]),
        (
            [f"consumer-of-the-payments-of-europe-{number}-4b1e" for number in (1, 2)],
            [f"…payments-of-europe-{n}-4b1e" for n in (1, 2)],
        ),
    ],
)
def test_the_legend_has_names_as_they_stand_elsewhere_and_cuts_only_what_is_too_long(names, shown):
    assert [word for _, _, word in legend(LAGS, names, np.zeros(3, dtype=bool))] == shown


def test_the_legend_of_six_long_names_fits_a_narrow_window():
    lags = replace(LAGS, lag=np.ones((5, 7), dtype=np.int64), member=np.arange(6))
    words = [
        word
        for _, _, word in legend(
            lags,
            [f"consumer-of-payments-{number}-4b1e" for number in range(6)],
            np.zeros(7, dtype=bool),
        )
    ]

    assert text_width("   ".join(f"■ {word}" for word in words), 12) < 720
    assert len(set(words)) == 7
    assert words[0].startswith("…")


def test_owners_have_the_colours_of_the_lags_and_times_without_owner_are_hatched():
    bars = [bar for bar in drawn().data if bar.name == "owner"]

    assert [bar.marker.color for bar in bars] == [theme.PAPER, *theme.MEMBERS[:2], theme.OTHERS]
    assert [bar.marker.pattern.shape for bar in bars] == ["/", None, None, None]
    assert (0, 300_000.0, 30_000.0, "<b>t-3</b><br>no owner<br>00:05–00:05 UTC") in runs(drawn())
    assert (
        1,
        0.0,
        630_000.0,
        "<b>t-1</b><br>c&lt;<br>member id c&lt;-9<br>00:00–00:10 UTC",
    ) in runs(drawn())
    assert "<b>t-3</b><br>b<br>member id b-2, 1 earlier id<br>00:05–00:10 UTC" in [
        text for _, _, _, text in runs(drawn())
    ]
    assert "<b>t-3</b><br>a<br>00:00–00:05 UTC" in [text for _, _, _, text in runs(drawn())]


def test_runs_of_a_row_do_not_overlap_and_the_owner_of_the_last_reading_is_two_pixels_wide():
    stripes = replace(
        ROWS,
        row=np.array([0, 0, 0, 0, 1]),
        owner=np.array([0, -1, 0, 1, 2]),
        begin=np.array([0.0, 1.0, 2.0, 800.0, 500.0]),
        end=np.array([1.0, 2.0, 800.0, 800.0, 500.0]),
        member_id=("a", "", "a", "b", "c<"),
        id_count=np.ones(5, dtype=np.int64),
    )
    figure = timeline(AREAS, OWNERS._replace(rows=stripes), Marks(), Span(0.0, 800.0))
    drawn_runs = sorted((row, base, width) for row, base, width, _ in runs(figure))

    assert drawn_runs == [
        (0, 0, 1000),
        (0, 1000, 1000),
        (0, 2000, 796_000),
        (0, 798_000, 2000),
        (1, 500_000, 2000),
    ]


def test_beside_each_row_stand_its_lag_and_how_often_it_moved():
    lags, moved, of_topics, moved_topics = [
        one for one in drawn().data if one.type == "scatter" and one.mode == "text"
    ]

    assert (lags.text, moved.text) == (("9", "–"), ("12×", "0×"))
    assert (of_topics.text, moved_topics.text) == (("7", "–"), ("1×", "30×"))
    assert moved.textfont.color == (theme.WARN, theme.MUTED)


def test_the_title_says_how_many_partitions_are_left_out():
    assert any(
        "Owner of the 2 worst of 8 partitions, rest by topic" in one.text
        for one in drawn().layout.annotations
    )


def test_the_rest_has_a_row_a_topic_each_part_as_high_as_its_owner_has_partitions():
    figure = drawn()
    bars = [bar for bar in figure.data if bar.name == "owned"]

    assert figure.layout.yaxis2.ticktext == (
        "t-3",
        "t-1",
        "orders&lt; +4",
        "2 topics +2",
    )
    assert figure.layout.yaxis2.range == (6, -0.5)
    assert [bar.marker.color for bar in bars] == [*theme.MEMBERS[:2], theme.OTHERS, theme.PAPER]
    assert [np.round(bar.width / 1.7, 3).tolist() for bar in bars] == [
        [0.5, 1],
        [0.25],
        [1],
        [0.25],
    ]
    assert [np.round(bar.y, 3).tolist() for bar in bars] == [[2.15, 2.15], [3.0], [4.15], [3.425]]


def test_the_pointer_reads_how_many_partitions_of_a_topic_each_has():
    texts = next(bar for bar in drawn().data if bar.name == "topics").text

    assert (
        texts[0] == "<b>orders&lt;</b>, 4 other partitions<br>b: 2<br>a: 1<br>no owner:"
        " 1<br>00:00–00:05 UTC"
    )
    assert texts[2] == "<b>2 topics</b>, 2 other partitions<br>other members: 2<br>00:00–00:10 UTC"


def test_a_range_that_ends_in_the_past_has_nothing_right_of_it():
    figure = drawn()

    assert figure.layout.xaxis.range == (0, 787_500)
    assert max(figure.layout.xaxis.tickvals) <= 630_000
    assert not any("forecast" in one.text for one in figure.layout.annotations)


def test_two_moments_have_flags_through_all_panels_and_the_count_of_a_burst_steps_aside():
    figure = drawn((Burst((1,), 5.0, 5.0), Burst((3,), 300.0, 300.0)), (0.0, 630.0), "now 00:10")
    notes = {one.text: one for one in figure.layout.annotations if one.text != "↻ 1"}
    counts = [one for one in figure.layout.annotations if one.text == "↻ 1"]

    assert [(one.x0, one.y0, one.y1) for one in figure.layout.shapes if one.yref == "paper"] == [
        (0, 0, 1),
        (630_000, 0, 1),
    ]
    assert (notes["<b>A</b>"].x, notes["<b>B</b>"].x, notes["now 00:10"].x) == (0, 630_000, 630_000)
    assert [(one.xanchor, one.xshift) for one in counts] == [("left", 13), ("center", None)]
