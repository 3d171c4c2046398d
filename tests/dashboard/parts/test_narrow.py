"""In a narrow window each text of a figure is within the figure."""

import plotly.graph_objects as go
import pytest

from evenkeel.dashboard.parts import frame
from evenkeel.dashboard.parts.narrow import fitted
from evenkeel.dashboard.parts.text_width import text_width

PHONE, ROOM = 390, 390 - 28


def _figure() -> go.Figure:
    """A row for a member with a long name, an axis to 100 and 200 pixels of margins above."""
    figure = frame.figure(300, left=220, top=60, bottom=20)
    figure.update_yaxes(tickvals=[0], ticktext=["payments-of-the-european-union-consumer-17"])
    scale = ([0.0, 20.0, 40.0, 60.0, 80.0, 100.0], ["100 records"] * 6)
    figure.update_layout(xaxis=frame.value_axis(scale, range=[0, 100]))
    return figure


def test_a_long_name_is_cut_at_its_front_and_the_plot_gets_the_room():
    layout = fitted(_figure().to_dict()["layout"], PHONE)

    (name,) = layout["yaxis"]["ticktext"]
    assert name.startswith("…")
    assert name.endswith("-17")
    assert layout["margin"]["l"] == 14 + round(text_width(name))
    assert layout["margin"]["l"] <= 110


def test_texts_of_a_scale_that_would_cover_each_other_go_and_the_first_stays():
    layout = fitted(_figure().to_dict()["layout"], PHONE)

    # 11 letters take 51 pixels and 7 of air, two texts are 49 apart: each second one fits.
    assert layout["xaxis"]["tickvals"] == (0.0, 40.0, 80.0)


def test_a_text_beyond_the_right_edge_is_moved_to_it():
    figure = _figure()
    frame.label(figure, "current and three others", 100, 0)

    layout = fitted(figure.to_dict()["layout"], PHONE)

    (note,) = layout["annotations"]
    plot = ROOM - 6 - layout["margin"]["l"] - layout["margin"]["r"]
    right = layout["margin"]["l"] + plot + note["xshift"] + text_width(note["text"])
    assert right <= ROOM


def test_a_legend_breaks_between_its_entries_and_what_is_above_it_moves_up():
    figure = _figure()
    frame.title(figure, "Lag", shift=40)
    frame.legend(figure, [("■", "red", f"a member of name {place}") for place in range(4)], 20)

    layout = fitted(figure.to_dict()["layout"], PHONE)

    title, legend = layout["annotations"]
    assert legend["text"].count("<br>") == 1
    assert "member of name 3" in legend["text"]
    line = title["yshift"] - 40
    assert line >= frame.LEGEND_SIZE
    assert (layout["margin"]["t"] - 60, layout["height"] - 300) == pytest.approx((line, line))


def test_the_figure_of_a_wide_window_stays_as_it_is():
    figure = _figure()
    frame.label(figure, "x" * 100, 100, 0)
    before = figure.to_json()

    fitted(figure.to_dict()["layout"], PHONE)

    assert figure.to_json() == before


@pytest.mark.parametrize("ends", [None, [1, 1], ["2026-11-27", "2026-11-28"]])
def test_an_axis_without_two_numbers_as_its_ends_keeps_its_texts(ends):
    figure = _figure()
    figure.update_xaxes(range=ends)
    figure.add_annotation(x=50, y=1, text="half", xref="x", yref="paper", font={"size": 12})

    layout = fitted(figure.to_dict()["layout"], PHONE)

    assert list(layout["xaxis"]["tickvals"]) == [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]
    assert layout["annotations"][0]["text"] == "half"
