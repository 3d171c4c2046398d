"""The lag right of now."""

import numpy as np

from evenkeel.assignors.group.drain import Band
from evenkeel.assignors.timeline.forecast import Forecast
from evenkeel.dashboard import theme
from evenkeel.dashboard.parts import frame
from evenkeel.dashboard.timeline.figures.lag_panel import add_forecast, forecast_top

AHEAD = Forecast(
    np.array([0.0, 60.0]), Band(np.array([100.0, 0]), np.array([100.0, 40]), np.array([100.0, 180]))
)


def drawn(ahead, high=100):
    figure = frame.figure(100)
    figure.update_layout(yaxis={"range": [0, high]})
    add_forecast(figure, ahead, 600.0)
    return figure


def texts(figure) -> list[str]:
    return [one.text for one in figure.layout.annotations]


def test_a_dashed_median_lies_in_its_band_from_the_last_reading_on():
    band, median = drawn(AHEAD).data

    assert (band.fillcolor, band.x.tolist(), band.y.tolist()) == (
        theme.BAND,
        [600_000, 660_000, 660_000, 600_000],
        [100, 180, 0, 100],
    )
    assert (median.line.dash, median.x.tolist(), median.y.tolist()) == (
        "dash",
        [600_000, 660_000],
        [100, 40],
    )
    assert texts(drawn(AHEAD)) == ["forecast, 5–95 %:<br>0 to 180<br>at 00:11"]


def test_where_there_is_none_the_words_say_why():
    figure = drawn("the read rate of members is unknown")

    assert not figure.data
    assert texts(figure)[0] == "no forecast:<br>the read rate of<br>members is unknown"


def test_the_axis_has_room_for_the_median():
    assert forecast_top(AHEAD) == 100
    assert forecast_top("unknown") == 0
    assert forecast_top(None) == 0


def test_the_words_stand_beside_the_line():
    assert [drawn(AHEAD, high).layout.annotations[0].y for high in (100, 60)] == [1, 0.5]


def test_one_draw_is_a_line_without_the_name_of_a_band():
    alone = AHEAD._replace(lag=AHEAD.lag._replace(low=AHEAD.lag.middle, high=AHEAD.lag.middle))

    assert texts(drawn(alone))[0].startswith("forecast:<br>")
