"""Both fits on one scatter."""

import re

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evenkeel.dashboard import theme
from evenkeel.dashboard.compare.fit_scatter import Fit, Point, finding, fit_scatter, points
from tests.dashboard.parts.plot import Plot

FITS = [
    Fit("current", 1.32, 6.29),
    Fit("range", 1.2, 7.22),
    Fit("lag", 1.2, 4.48),
    Fit("roundrobin", 1.08, 3.23),
    Fit("sticky", 1.08, 3.23),
]


def marks(figure, name):
    trace = next(trace for trace in figure.data if trace.name == name)
    return list(zip(trace.text, trace.x, trace.y, strict=True))


def test_each_distinct_place_is_one_point_with_everyone_who_is_there():
    figure = fit_scatter(FITS, "lag")

    assert marks(figure, "current") == [("current", 1.32, 6.29)]
    assert marks(figure, "candidate") == [("lag", 1.2, 4.48)]
    assert marks(figure, "other") == [("range", 1.2, 7.22), ("roundrobin, sticky", 1.08, 3.23)]


def test_the_current_one_is_a_square_and_the_candidate_a_diamond():
    figure = fit_scatter(FITS, "lag")

    assert {trace.name: (trace.marker.symbol, trace.marker.color) for trace in figure.data} == {
        "other": ("circle-open", theme.MUTED),
        "candidate": ("diamond", theme.CANDIDATE),
        "current": ("square", theme.CURRENT),
    }


def test_an_arrow_goes_from_current_to_candidate_and_none_where_they_are_equal():
    moved, equal = (
        fit_scatter(FITS, "lag"),
        fit_scatter([Fit("current", 1.0, 2.0), Fit("lag", 1.0, 2.0)], "lag"),
    )

    arrow = next(note for note in moved.layout.annotations if note.arrowhead)
    assert ((arrow.ax, arrow.ay), (arrow.x, arrow.y)) == ((1.32, 6.29), (1.2, 4.48))
    assert not [note for note in equal.layout.annotations if note.arrowhead]


def test_a_candidate_that_shares_the_place_of_others_is_still_marked():
    assert points([Fit("current", 1, 2), Fit("range", 1, 2), Fit("lag", 1, 2)], "lag") == [
        Point(("current",), 1, 2, "current"),
        Point(("lag",), 1, 2, "candidate"),
        Point(("range",), 1, 2, "other"),
    ]


def test_without_lag_the_picture_says_so():
    figure = fit_scatter([Fit("current", 1.0, None), Fit("lag", 1.0, None)], "lag")

    assert not figure.data
    assert (
        figure.layout.annotations[0].text
        == "Lag is unknown:<br>nothing to compare partitions with."
    )
    assert (
        fit_scatter([Fit("current", 1.0, None, "no member has lag")], "lag")
        .layout.annotations[0]
        .text.startswith("No member has lag:")
    )
    assert "unknown" in finding([Fit("current", 1.0, None), Fit("lag", 1.0, None)], "lag")


def test_a_name_with_markup_is_shown_letter_by_letter():
    figure = fit_scatter([Fit("current", 1.2, 2), Fit("<b>x</b>", 1, 3)], "lag")

    assert any("&lt;b&gt;x&lt;/b&gt;" in note.text for note in figure.layout.annotations)


def test_the_finding_names_both_numbers():
    assert (
        finding(FITS, "lag")
        == "Largest over mean lag goes from 6.29 now to 4.48 under “lag”, partitions from 1.32 to 1.20."
    )


REAL = [
    Fit("current", 1.2, 6.29),
    Fit("range", 1.08, 6.96),
    Fit("roundrobin", 1.08, 4.43),
    Fit("sticky", 1.08, 6.19),
    Fit("cooperative-sticky", 1.08, 6.19),
]
REAL += [Fit("lag", 1.08, 5.17), Fit("uniform", 1.08, 6.11), Fit("broker-range", 1.08, 6.96)]


@st.composite
def many_fits(draw):
    """The current one, the candidate and 0 to 298 others, many in a few places or close to each
    other.
    """
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    count, decimals = (
        draw(st.sampled_from((2, 3, 8, 20)) | st.integers(2, 300)),
        draw(st.sampled_from((1, 2, 3))),
    )
    values = (1 + np.abs(rng.normal(0, (0.3, 3), (count, 2)))).round(decimals)
    names = ["current", "lag", *(f"assignor-{number}" for number in range(count - 2))]
    return [Fit(name, *value) for name, value in zip(names, values.tolist(), strict=True)]


@example(REAL)
@given(many_fits())
@settings(max_examples=10, deadline=None)
def test_no_text_covers_a_text_a_mark_or_the_arrow_in_a_plot_of_any_width(fits):
    figure = fit_scatter(fits, "lag")

    for width in (270, 310, 470, 700, 1000):
        plot = Plot(figure, width)
        boxes, marks = (
            [plot.box(note) for note in figure.layout.annotations if note.text],
            plot.marks(),
        )
        for number, box in enumerate(boxes):
            assert box.left >= 0
            assert box.right <= width
            assert not any(box.covers(other) for other in [*boxes[:number], *marks])
            assert not any(
                box.left < x < box.right and box.bottom < y < box.top for x, y in plot.arrow()
            )
    assert all(
        any(word in note.text for note in figure.layout.annotations) for word in ("current", "lag")
    )


def test_what_has_no_place_beside_its_mark_is_named_above_the_plot():
    others = [Fit(f"a{x}-{y}", 1 + x / 40, 1 + y / 16) for x in range(12) for y in range(20)]
    crowd = [Fit("current", 1.2, 2.0), Fit("lag", 1.21, 2.01), *others]

    above = [note for note in fit_scatter(crowd, "lag").layout.annotations if note.yref == "paper"]

    assert {re.sub("<.*?>", "", note.text) for note in above} == {
        "Lag, max ÷ mean",
        "■ current   ◆ lag",
    }
