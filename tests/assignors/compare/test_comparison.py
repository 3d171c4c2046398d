from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.compare.comparison import compare
from tests.assignors.groups import assignment, group, spelled

EVERY = [ASSIGNORS[name]() for name in ("range", "roundrobin", "lag")]


def test_the_current_assignment_comes_first_and_each_assignor_is_measured_against_it():
    snapshot = group({"t0": 3}, C0="t0", C1="t0", lag=[100_000, 60_000, 50_000])

    rows = compare(snapshot, assignment(snapshot, C0="t0-0 t0-1 t0-2"), EVERY).rows

    assert [(row.name, spelled(snapshot, row.assignment)) for row in rows] == [
        ("current", {"C0": "t0-0 t0-1 t0-2", "C1": ""}),
        ("range", {"C0": "t0-0 t0-1", "C1": "t0-2"}),
        ("roundrobin", {"C0": "t0-0 t0-2", "C1": "t0-1"}),
        ("lag", {"C0": "t0-0", "C1": "t0-1 t0-2"}),
    ]
    assert [row.balance.max_lag for row in rows] == [210_000, 160_000, 150_000, 110_000]
    assert [(row.moved_partitions, row.moved_lag) for row in rows] == [
        (0, 0),
        (1, 50_000),
        (1, 60_000),
        (2, 110_000),
    ]


def test_the_page_shows_its_own_lag_where_the_assignor_reads_another():
    snapshot = group({"t0": 1}, A="t0", begin=[7], end=[10], committed=[4])

    comparison = compare(snapshot, assignment(snapshot, A="t0-0"), EVERY)

    assert comparison.lag.tolist() == [3]
    assert [row.balance.total_lag for row in comparison.rows] == [3, 3, 3, 3]


def test_an_assignor_that_throws_is_a_row_with_its_error_and_the_others_are_answered():
    snapshot = group({"t0": 3}, lag=[1, 2, 3])

    rows = compare(snapshot, assignment(snapshot), EVERY).rows

    assert [row.name for row in rows] == ["current", "range", "roundrobin", "lag"]
    assert [row.error.java_class if row.error else None for row in rows] == [
        None,
        None,
        "IllegalArgumentException",
        None,
    ]
    assert (rows[2].balance, rows[2].moved_partitions, rows[2].moved_lag, rows[2].assumed) == (
        None,
        None,
        None,
        (),
    )


def test_what_an_assignor_assumed_stands_in_its_row():
    snapshot = group({"t0": 2}, A="t0", B="t0")

    rows = compare(snapshot, assignment(snapshot), EVERY).rows

    assert [[assumed.column for assumed in row.assumed] for row in rows] == [[], [], [], ["lag"]]


def test_where_nobody_knows_who_owns_what_the_current_row_and_all_moves_are_not_known():
    snapshot = group({"t0": 3}, C0="t0", C1="t0", lag=[1, 2, 3])

    rows = compare(snapshot, None, EVERY).rows

    assert (
        rows[0].name,
        rows[0].assignment,
        rows[0].balance,
        rows[0].moves,
        rows[0].error,
        rows[0].assumed,
    ) == (
        "current",
        None,
        None,
        None,
        None,
        (),
    )
    assert [(row.moves, row.moved_partitions, row.moved_lag) for row in rows] == [
        (None, None, None)
    ] * 4
    assert [row.balance.max_lag for row in rows[1:]] == [3, 4, 3]
