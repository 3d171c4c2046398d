"""`evenkeel compare` with unknown lags: lower bounds are marked, and a condition that depends on
unknown values is not judged.
"""

import json

import pytest

from evenkeel.data.commands.main import main
from tests.generated.small_documents import document


@pytest.fixture
def partly(tmp_path):
    """a: 2,000 and 9 unknown; b: 246 and 2 unknown; c owns one of known lag 0: 12 of 15 partitions
    have no known lag.
    """
    known = {0: 2000, 10: 246, 14: 0}
    written = document(
        {"t": [{"lag": known[place]} if place in known else {} for place in range(15)]},
        a="t",
        b="t",
        c="t",
    ) | {"group_id": "g"}
    for member, owned in zip(
        written["members"], (range(10), range(10, 14), range(14, 15)), strict=True
    ):
        member["owned"] = {"t": list(owned)}
    path = tmp_path / "group.json"
    path.write_text(json.dumps(written))
    return str(path)


def test_the_table_shows_lower_bounds_and_estimates_as_such(partly, capsys):
    assert main(["compare", partly, "--assignor", "range"]) == 0

    _, _, head, _, _, current, *_ = capsys.readouterr().out.splitlines()
    assert head == "g · members 3 · topics 1 · partitions 15 · unknown lags 12"
    assert current.split("  ")[0] == "current"
    assert [cell.strip() for cell in current.split("  ") if cell.strip()] == [
        "current",
        "10",
        "1",
        "≥ 2,000",
        "≥ 748",
        "≥ 2,246",
        "≈ 1.19",
        "≈ 2.67",
        "0",
        "0",
        "0",
        "–",
        "–",
    ]


def test_the_json_has_the_number_of_partitions_of_unknown_lag(partly, capsys):
    main(["compare", partly, "--assignor", "range", "--json"])

    assert [
        (row["total_lag"], row["unknown_lag_partitions"])
        for row in json.loads(capsys.readouterr().out)["rows"]
    ] == [
        (2246, 12),
        (2246, 12),
    ]


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("total_lag > 5000", 2),
        ("total_lag > 2245", 1),
        ("total_lag >= 2246", 1),
        ("total_lag > 2246", 2),
        ("total_lag < 2246", 0),
        ("total_lag <= 2245", 0),
        ("total_lag < 2247", 2),
        ("total_lag <= 2246", 2),
        ("total_lag == 2245", 0),
        ("total_lag == 2246", 2),
        ("total_lag != 2245", 1),
        ("total_lag != 5000", 2),
        ("max_lag > 1999", 1),
        ("max_lag > 2000", 2),
        ("mean_lag > 748", 1),
        ("mean_lag > 749", 2),
        ("mean_lag < 700", 0),
        ("max_lag_share > 1.3", 1),
        ("max_lag_share > 1.6", 2),
        ("max_lag_share > 3", 0),
        ("max_lag_share < 2.9", 2),
        ("max_lag_share < 1.4", 0),
        ("lag_cv > 1.42", 0),
        ("lag_cv > 1", 2),
        ("lag_cv < 0.3", 0),
        ("max_partitions > 9", 1),
        ("idle_members > 0", 0),
        ("moved_lag > 0", 0),
        ("unknown_lag_partitions > 11", 1),
    ],
)
def test_a_condition_ends_with_2_where_the_unknown_part_could_turn_it(
    partly, condition, code, capsys
):
    assert main(["compare", partly, "--fail-if", condition]) == code


def test_what_is_known_of_a_figure_is_said_where_a_condition_cannot_be_judged(partly, capsys):
    main(["compare", partly, "--fail-if", "total_lag > 5000"])
    main(["compare", partly, "--fail-if", "max_lag_share > 1.6"])

    assert capsys.readouterr().err.splitlines() == [
        (
            "evenkeel compare: total_lag of current is at least 2,246 (the lag of 12 partitions is"
            " unknown): total_lag > 5000 cannot be judged"
        ),
        (
            "evenkeel compare: max_lag_share of current is between 1.50 and 3.00 (the lag of 12"
            " partitions is unknown): max_lag_share > 1.6 cannot be judged"
        ),
    ]


def test_lags_beyond_any_sum_are_unknown(tmp_path, capsys):
    written = document({"t": [{"lag": 10**18}] * 12}, a="t")
    written["members"][0]["owned"] = {"t": list(range(12))}
    path = tmp_path / "group.json"
    path.write_text(json.dumps(written))

    assert main(["compare", str(path), "--json", "--fail-if", "max_lag > 5"]) == 2

    (current, *_) = json.loads(capsys.readouterr().out)["rows"]
    assert [
        current[name]
        for name in (
            "max_lag",
            "mean_lag",
            "total_lag",
            "lag_cv",
            "max_lag_share",
            "unknown_lag_partitions",
        )
    ] == [None] * 5 + [12]


@pytest.fixture
def switching(tmp_path):
    """b joins a, which has four partitions."""
    written = document({"t": [{"lag": 1}] * 4}, a="t", b="t")
    written["members"][0] |= {"owned": {"t": [0, 1, 2, 3]}, "generation": 7}
    path = tmp_path / "group.json"
    path.write_text(json.dumps(written))
    return str(path)


@pytest.mark.parametrize(
    ("assignor", "condition", "code"),
    [
        ("cooperative-sticky", "rounds > 1", 1),
        ("cooperative-sticky", "rounds > 2", 0),
        ("cooperative-sticky", "paused_partitions == 2", 1),
        ("range", "paused_partitions > 3", 1),
        ("range", "rounds > 1", 0),
    ],
)
def test_rounds_and_paused_partitions_can_stand_in_a_condition(
    switching, assignor, condition, code
):
    assert main(["compare", switching, "--assignor", assignor, "--fail-if", condition]) == code


def test_the_way_to_the_current_assignment_is_no_figure(switching, capsys):
    assert main(["compare", switching, "--fail-if", "rounds > 1"]) == 2

    assert (
        capsys.readouterr().err
        == "evenkeel compare: rounds of current is unknown: rounds > 1 cannot be judged\n"
    )


def test_rounds_that_never_end_are_more_than_any_number(tmp_path):
    written = document({"orders": 6}, a="", b="orders", c="orders")
    for member, owned in zip(
        written["members"], ({}, {"orders": [0, 1, 2]}, {"orders": [3, 4, 5]}), strict=True
    ):
        member |= {"owned": owned, "generation": 5}
    path = tmp_path / "group.json"
    path.write_text(json.dumps(written))

    assert (
        main(["compare", str(path), "--assignor", "sticky", "--fail-if", "rounds > 1000000"]) == 1
    )


def test_the_row_of_the_assignor_in_use_says_so(tmp_path, capsys):
    path = tmp_path / "group.json"
    path.write_text(
        json.dumps(document({"t": 2}, a="t") | {"type": "consumer", "assignor": "range"})
    )

    main(["compare", str(path), "--json", "--assignor", "range", "broker-range", "uniform"])

    assert [row["in_use"] for row in json.loads(capsys.readouterr().out)["rows"]] == [
        None,
        False,
        True,
        False,
    ]
