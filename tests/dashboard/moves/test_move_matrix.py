"""From whom to whom."""

import numpy as np

from evenkeel.assignors.compare.moves import moves_between
from evenkeel.assignors.group.lag import page_lag
from evenkeel.dashboard import theme
from evenkeel.dashboard.moves.move_matrix import matrix, move_matrix
from tests.assignors.groups import assignment, group


def moves(snapshot, before, after):
    return moves_between(
        assignment(snapshot, **before), assignment(snapshot, **after), snapshot, page_lag(snapshot)
    )


def test_rows_give_and_columns_get_in_the_order_of_the_members():
    snapshot = group({"t0": 4}, A="t0", B="t0", lag=[1, 2, 4, 8])
    found = moves(
        snapshot, {"A": "t0-0 t0-1 t0-2", "B": "t0-3"}, {"A": "t0-0", "B": "t0-1 t0-2 t0-3"}
    )

    info = matrix(found, ["A", "B"], np.array([1, 0]))

    assert info.names == ["B", "A"]
    assert info.moves.tolist() == [[1, 0], [2, 1]]
    assert info.lag.tolist() == [[8, 0], [6, 1]]


def test_nobody_has_a_row_only_where_it_takes_part_and_unknown_lag_is_no_number():
    snapshot = group({"t0": 2}, A="t0", B="t0")
    found = moves(snapshot, {"A": "t0-0"}, {"B": "t0-0 t0-1"})

    info = matrix(found, ["A", "B"], np.array([0, 1]))

    assert info.names == ["A", "B", "no owner"]
    assert info.moves.tolist() == [[0, 1, 0], [0, 0, 0], [0, 1, 0]]
    assert np.isnan(info.lag[0, 1])
    assert np.isnan(info.lag[2, 1])


def test_a_cell_of_unknown_lag_has_a_fill_of_its_own_and_a_dash():
    snapshot = group({"t0": 2}, A="t0", B="t0", lag=[None, 0])
    found = moves(snapshot, {"A": "t0-0", "B": "t0-1"}, {"A": "t0-1", "B": "t0-0"})

    known, unknown = move_matrix(found, ["A", "B"], np.array([0, 1])).data[:2]

    assert np.isnan(known.z).tolist() == [[True, True], [False, True]]
    assert np.isnan(unknown.z).tolist() == [[True, False], [True, True]]
    assert [color for _, color in unknown.colorscale] == [theme.LINE, theme.LINE]
    assert unknown.customdata[0][1] == "A → B<br>1 partition, lag –"


def test_the_figure_colours_what_moves_outlines_what_stays_and_writes_the_counts():
    snapshot = group({"t0": 4}, A="t0", B="t0", lag=[1, 2, 4, 10])
    found = moves(
        snapshot, {"A": "t0-0 t0-1 t0-2", "B": "t0-3"}, {"A": "t0-0 t0-3", "B": "t0-1 t0-2"}
    )

    figure = move_matrix(found, ["pay-A", "pay-B"], np.array([0, 1]))

    heat = figure.data[0]
    assert np.nan_to_num(heat.z, nan=-1).tolist() == [[-1, np.sqrt(6)], [np.sqrt(10), -1]]
    assert heat.customdata[0][1] == "pay-A → pay-B<br>2 partitions, lag 6"
    numbers = figure.data[1]
    assert list(zip(numbers.text, numbers.x, numbers.y, strict=True)) == [
        ("1", 0, 0),
        ("2", 1, 0),
        ("1", 0, 1),
    ]
    assert [(box.x0 + box.x1, box.y0 + box.y1) for box in figure.layout.shapes] == [(0, 0)]
    assert figure.layout.xaxis.ticktext == ("A", "B")


def test_the_matrix_has_a_legend_of_its_own_for_the_lag_that_moves_and_the_numbers():
    snapshot = group({"t0": 2}, A="t0", B="t0", lag=[100, 900])

    moving = move_matrix(
        moves(snapshot, {"A": "t0-0", "B": "t0-1"}, {"A": "t0-1", "B": "t0-0"}),
        ["A", "B"],
        np.array([0, 1]),
    )
    staying = move_matrix(
        moves(snapshot, {"A": "t0-0", "B": "t0-1"}, {"A": "t0-0", "B": "t0-1"}),
        ["A", "B"],
        np.array([0, 1]),
    )

    assert moving.layout.coloraxis.showscale
    assert moving.layout.coloraxis.colorbar.ticktext[0] == "lag moved 0"
    assert any(", number of partitions" in note.text for note in moving.layout.annotations)
    assert not staying.layout.coloraxis.showscale
