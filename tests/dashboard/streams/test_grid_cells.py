from evenkeel.assignors.rounds.streams import GridPoint
from evenkeel.dashboard.parts.task_tables import grid_rows, suggested


def point(seconds, most=44, is_balanced=True):
    return GridPoint({}, seconds, is_balanced, 5, most, 40)


POINTS = {
    (1, 10): point(4_400.0, 41),
    (2, 10): point(2_600.0, 42),
    (4, 10): point(800.0),
    (8, 10): point(800.0, 46),
}


def test_the_suggestion_is_the_fewest_warmups_that_are_fastest():
    assert suggested(POINTS, (2, 10)) == (4, 10)
    assert suggested(POINTS, (4, 10)) is None


def test_unknown_times_are_no_suggestion():
    assert suggested({(1, 10): point(None), (2, 10): point(None)}, (1, 10)) is None


def test_a_cell_says_the_time_unknown_never_or_that_it_is_still_computed():
    rows = grid_rows(
        [1, 2, 4],
        [10, 20],
        {(1, 10): point(600.0), (1, 20): point(None), (2, 10): point(None, is_balanced=False)},
        (1, 10),
    )

    assert [[cell.text for cell in row.cells] for row in rows] == [
        ["10 m", "–"],
        ["never", "…"],
        ["…", "…"],
    ]
    assert [row.extra for row in rows] == [4, 4, None]
    assert rows[0].cells[0].mark == "now"
