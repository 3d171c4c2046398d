"""Lines of the worst member's lag."""

import numpy as np

from evenkeel.assignors.timeline.replay import Regret
from evenkeel.dashboard import theme
from evenkeel.dashboard.parts import frame
from evenkeel.dashboard.timeline.figures.regret_panel import HEIGHT, add_regret

WORST = np.array([[3, 3, 2, 3], [218, 251, 156, 251], [218, -1, 156, 251]])
REGRET = Regret(
    np.array([0.0, 30, 600]), np.array([0, 0, 1]), ("current", "range", "lag", "sticky"), WORST
)


def drawn(regret, finding=""):
    figure = frame.figure(HEIGHT)
    add_regret(figure, regret, finding, 600.0, (0, 1))
    return figure


def texts(figure) -> list[str]:
    return [one.text for one in figure.layout.annotations]


def test_the_owners_as_they_were_are_blue_the_best_assignor_is_orange_the_others_are_grey():
    lines = {line.name: line for line in drawn(REGRET).data if line.type == "scatter"}

    assert {name: (line.line.color, line.line.width) for name, line in lines.items()} == {
        "current": (theme.CURRENT, 2),
        "lag": (theme.CANDIDATE, 1.6),
        "range": (theme.MUTED, 1.3),
        "sticky": (theme.MUTED, 1.3),
    }
    assert np.nan_to_num(lines["sticky"].y, nan=-1).tolist() == [3, 251, -1, 251]


def test_names_stand_at_now_and_those_with_one_lag_share_a_place():
    same = Regret(REGRET.time, REGRET.stretch, REGRET.names, np.array([[9, 9, 2, 9]] * 3))

    assert [text.split("</span> ")[1] for text in texts(drawn(REGRET)) if "</span>" in text] == [
        "current 218",
        "lag 156",
        "sticky 251",
    ]
    assert [text.split("</span> ")[1] for text in texts(drawn(same)) if "</span>" in text] == [
        "current + 2 others 9",
        "lag 2",
    ]


def test_names_do_not_overlap_and_leave_room_for_the_finding():
    close = Regret(
        REGRET.time, REGRET.stretch, tuple("abcdef"), np.array([[0, 1, 2, 3, 4, 1000]] * 3)
    )
    places = sorted(
        one.y * HEIGHT
        for one in drawn(close, "one line of words that is longer than a line").layout.annotations[
            1:-1
        ]
    )

    assert np.diff(places).min() >= 13 - 1e-9
    assert places[0] >= 2 * 13
    assert places[-1] <= HEIGHT


def test_a_pointer_reads_every_answer():
    bars = next(one for one in drawn(REGRET).data if one.type == "bar")

    assert bars.text[2] == "<b>00:10 UTC</b><br>current: 218<br>range: –<br>lag: 156<br>sticky: 251"


def test_the_finding_and_the_limit_of_the_figure_are_said():
    figure = drawn(REGRET, "lag would have spared the worst member 95")

    assert texts(figure)[-1] == "lag would have spared<br>the worst member 95"
    assert "The lags are the recorded lags" in figure.layout.annotations[0].hovertext


def test_while_assignors_are_asked_the_panel_says_so():
    assert texts(drawn(None))[1] == "other assignors are replayed …"
