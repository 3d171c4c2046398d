"""The condition of a comparison."""

import argparse

import pytest

from evenkeel.data.commands.options.fail_if import Condition


@pytest.mark.parametrize(
    ("condition", "end"),
    [
        ("max_lag_shar > 1.3", " in place of max_lag_shar: did you mean max_lag_share?"),
        ("Max_Lag > 3", " in place of Max_Lag: did you mean max_lag?"),
        ("max_lag > many", 'a number in place of "many"'),
        ("max_lag = 3", "FIGURE < <= > >= == != NUMBER, such as max_lag_share > 1.3"),
        ("max_lag", "FIGURE < <= > >= == != NUMBER, such as max_lag_share > 1.3"),
    ],
)
def test_what_is_wrong_in_a_condition_is_named(condition, end):
    with pytest.raises(argparse.ArgumentTypeError) as refused:
        Condition.parse(condition)

    assert str(refused.value).startswith(f"found {condition!r}, expected ")
    assert str(refused.value).endswith(end)


@pytest.mark.parametrize(
    ("word", "nearest"), [("max_lag_shar", "max_lag_share"), ("Max_Lag", "max_lag"), ("x", None)]
)
def test_the_nearest_figure_is_offered(word, nearest):
    with pytest.raises(argparse.ArgumentTypeError) as refused:
        Condition.parse(f"{word} > 1")

    end = f"in place of {word}" if nearest is None else f": did you mean {nearest}?"
    assert str(refused.value).endswith(end)
