"""Worst lag and moves over the steps."""

import re
from itertools import combinations
from math import log10

import numpy as np
import pytest

from evenkeel.dashboard import theme
from evenkeel.dashboard.parts.text_width import text_width
from evenkeel.dashboard.steps.figures.step_lines import (
    CANDIDATE,
    IN_USE,
    NARROWEST,
    OTHER,
    finding,
    lines_of,
    step_lines,
)
from evenkeel.data.scenarios.run.step_figures import figures_of_steps
from tests.dashboard.stepped import JOINS, STOPS, scenario, stepped

STEPS = (
    {"range": {}, "lag": {}},
    {"range": {"lag": 300, "moved_partitions": 9}, "lag": {"lag": 150, "moved_partitions": 99}},
    {"range": {"lag": 300, "moved_partitions": 0}, "lag": {"lag": 150, "moved_partitions": 0}},
)


def drawn(selected=1, steps=STEPS):
    return step_lines(lines_of(scenario(*steps), "range", "lag"), selected, ["as listed", "<one>"])


def texts(figure):
    return [note.text for note in figure.layout.annotations]


def line(figure, name, axis):
    return next(trace for trace in figure.data if trace.name == name and trace.yaxis == axis)


def test_lag_stands_above_the_logarithm_of_one_more_than_the_moves():
    figure = drawn()

    assert line(figure, "lag", "y").y.tolist() == [200, 150, 150]
    assert line(figure, "lag", "y2").y[1:].tolist() == [2.0, 0.0]
    assert line(figure, "range", "y2").y[1] == pytest.approx(log10(10))


def test_in_use_is_a_blue_square_and_the_candidate_an_orange_diamond():
    markers = {trace.name: (trace.marker.symbol, trace.marker.color) for trace in drawn().data}

    assert markers == {"range": ("square", theme.CURRENT), "lag": ("diamond", theme.CANDIDATE)}


def test_both_panels_have_a_band_on_the_selected_step_and_one_axis():
    figure = drawn(selected=2)

    assert [(band.xref, band.yref, band.x0, band.x1) for band in figure.layout.shapes] == [
        ("x", "y domain", 1.58, 2.42),
        ("x2", "y2 domain", 1.58, 2.42),
    ]
    assert figure.layout.xaxis2.matches == "x"
    assert list(figure.layout.xaxis.ticktext) == ["step 0", "1", "<b>2</b>"]


def test_the_lags_of_the_selected_step_and_all_moves_are_written_equal_ones_once():
    found = texts(drawn())

    assert {"300", "150", "9", "99", "both 0"} <= set(found)
    assert [text for text in found if text.startswith("<b>")][2:] == ["<b>range</b>", "<b>lag</b>"]


def test_a_figure_at_a_point_stands_on_the_colour_behind_it_so_that_no_line_runs_through_it():
    notes = {note.text: note.bgcolor for note in drawn().layout.annotations}

    assert (notes["both 0"], notes["9"], notes["99"]) == (theme.PAPER, theme.SURFACE, theme.SURFACE)


def test_a_click_knows_its_step_and_names_are_no_markup():
    trace = line(drawn(), "lag", "y")

    assert trace.customdata.tolist() == [0, 1, 2]
    assert trace.text[1] == "<b>step 1, &lt;one&gt;</b><br>lag: 150 records"


def test_of_many_steps_few_have_a_number_the_selected_one_among_them():
    figure = drawn(selected=17, steps=(STEPS[0], *[STEPS[1]] * 40))

    ticks = list(figure.layout.xaxis.ticktext)
    assert len(ticks) <= 9
    assert "<b>17</b>" in ticks
    assert [text for text in texts(figure) if text in ("9", "99")] == ["99", "9"]


def boxes(figure, steps, width=NARROWEST):
    """Return (text, left, right, bottom, top) of each text in pixels of a plot that is so wide."""
    layout, found = figure.layout, []
    height = layout.height - layout.margin.t - layout.margin.b
    for note in layout.annotations:
        across = note.x if note.xref == "paper" else (note.x + 0.5) / steps
        axis = {"y": layout.yaxis, "y2": layout.yaxis2}.get(note.yref)
        up = (
            note.y
            if axis is None
            else axis.domain[0]
            + (note.y - axis.range[0])
            / (axis.range[1] - axis.range[0])
            * (axis.domain[1] - axis.domain[0])
        )
        x, y = across * width + (note.xshift or 0), up * height + (note.yshift or 0)
        wide, high = (
            text_width(re.sub("<.*?>", "", note.text), note.font.size),
            0.8 * note.font.size,
        )
        left = x - {"left": 0, "center": wide / 2, "right": wide}[note.xanchor]
        bottom = y - (0 if note.yanchor == "bottom" else high / 2)
        found.append((note.text, left, left + wide, bottom, bottom + high))
    return found


@pytest.mark.parametrize("seed", range(40))
def test_no_text_covers_another_one_in_the_narrowest_plot(seed):
    chance = np.random.default_rng(seed)
    steps, names = (
        int(chance.integers(2, 12)),
        ("range", "lag", "sticky", "cooperative-sticky", "roundrobin"),
    )
    near = int(10 ** chance.uniform(0, 6))
    told = [
        {
            name: {
                "lag": near + int(chance.integers(0, near + 1)),
                "moved_partitions": int(10 ** chance.uniform(0, 4)),
            }
            for name in names
        }
        for _ in range(steps)
    ]
    figure = step_lines(lines_of(scenario(*told), "range", "lag"), int(chance.integers(0, steps)))

    found = boxes(figure, steps)

    covered = [
        (one[0], other[0])
        for one, other in combinations(found, 2)
        if one[1] < other[2] and other[1] < one[2] and one[3] < other[4] and other[3] < one[4]
    ]
    assert covered == []


def test_without_any_figure_the_axes_are_drawn():
    assert list(step_lines([], 0).layout.yaxis.ticktext) == ["0", "1"]


# Lines over the steps of a scenario.


def test_every_line_starts_with_the_group_as_listed_whatever_its_assignor_would_do():
    lines = lines_of(figures_of_steps(stepped(JOINS, STOPS).steps), "range", "lag")

    assert [(line.name, line.role, line.lag[0], line.lag[1]) for line in lines] == [
        ("range", IN_USE, 160_000, 100_000),
        ("lag", CANDIDATE, 160_000, 100_000),
    ]
    assert [np.isnan(line.moves[0]) for line in lines] == [True, True]


def test_the_third_line_is_the_other_assignor_whose_worst_lag_is_lowest():
    figures = scenario(
        *[{"range": {}, "lag": {}, "a": {"lag": 90}, "b": {"lag": 80}, "c": {"lag": None}}] * 2
    )

    assert [(line.name, line.role) for line in lines_of(figures, "range", "lag")] == [
        ("b", OTHER),
        ("range", IN_USE),
        ("lag", CANDIDATE),
    ]
    assert [line.name for line in lines_of(figures, "range", "lag", third="a")] == [
        "a",
        "range",
        "lag",
    ]


def test_a_candidate_that_is_in_use_is_one_line_in_use():
    assert [line.role for line in lines_of(scenario({"lag": {}}, {"lag": {}}), "lag", "lag")] == [
        IN_USE
    ]


def test_where_the_assignor_in_use_is_unknown_the_candidate_stands_alone():
    assert [line.role for line in lines_of(scenario({"lag": {}}, {"lag": {}}), None, "lag")] == [
        CANDIDATE
    ]


def test_unknown_is_a_gap():
    (line,) = lines_of(
        [*scenario({"lag": {}}), *scenario({"lag": {"lag": None, "moved_partitions": None}}), {}],
        None,
        "lag",
    )

    assert np.isnan(line.lag[1:]).all()
    assert np.isnan(line.moves).all()


def test_the_finding_says_lag_and_moves_of_each_line():
    lines = lines_of(
        scenario(*[{"range": {"lag_is_least": True}, "lag": {"moved_partitions": 7}}] * 2),
        "range",
        "lag",
    )

    assert (
        finding(lines, 1)
        == "Worst member's lag after step 1: 100 under “lag”, ≥ 100 under “range”; moves into the"
        " step: 7 under “lag”, 2 under “range”"
    )
    assert finding(lines, 0).startswith("Worst member's lag as listed: 200 under “lag”")
