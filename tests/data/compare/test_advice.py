"""The advice of `compare --json`: the switch that the diagnosis names, and nothing else."""

import json

import pytest

from evenkeel.assignors.diagnosis.offer import Offer, largest_gain
from evenkeel.data.commands.main import main


def group(lag: int) -> dict:
    """Range gives a two partitions of each topic and b one."""
    topics = [f"t{number}" for number in range(4)]
    return {
        "format": "evenkeel.group/1",
        "group_id": "g",
        "type": "classic",
        "state": "Stable",
        "assignor": "range",
        "topics": [{"name": name, "partitions": [{"lag": lag}] * 3} for name in topics],
        "members": [
            {
                "member_id": member,
                "subscribed": topics,
                "generation": 1,
                "owned": dict.fromkeys(topics, owned),
            }
            for member, owned in (("a", [0, 1]), ("b", [2]))
        ],
    }


@pytest.fixture
def compared(tmp_path, capsys):
    def run(lag: int, *options: str) -> tuple[int, dict]:
        path = tmp_path / "group.json"
        path.write_text(json.dumps(group(lag)))
        code = main(["compare", str(path), "--json", *options])
        return code, json.loads(capsys.readouterr().out or "{}")

    return run


def test_of_an_uneven_group_the_advice_is_the_switch_of_the_diagnosis(compared):
    # a has 8 × 20,000, b 4 × 20,000; two partitions of a to b leave 6 × 20,000 each.
    _, document = compared(20_000)

    assert document["advice"] == {
        "text": (
            "a has 160 k records, 1.3 times the mean of 120 k:"
            " sticky would leave the worst member 120 k."
        ),
        "reason": "uneven",
        "worth_it": True,
        "assignor": "sticky",
        "gain": 0.25,
        "price": {"moved": 2, "paused": 12, "rounds": 1, "needs_jar": False},
    }
    assert document["diagnosis"]["findings"][0]["text"] == document["advice"]["text"]


def test_a_backlog_that_may_lie_between_two_commits_leaves_the_worth_open(compared):
    _, document = compared(2_000)

    assert (document["advice"]["reason"], document["advice"]["worth_it"]) == ("uneven", None)


@pytest.mark.parametrize(
    ("lag", "condition", "code"),
    [
        (20_000, "advice.gain > 0.2", 1),
        (20_000, "advice.gain > 0.3", 0),
        (20_000, "advice.moved <= 2", 1),
        (20_000, "advice.paused > 12", 0),
        # A healthy group has no switch, which gains and moves nothing.
        (5, "advice.gain > 0", 0),
        (5, "advice.moved == 0", 1),
    ],
)
def test_conditions_on_the_advice_go_on(compared, lag, condition, code):
    assert compared(lag, "--fail-if", condition)[0] == code


def test_the_largest_gain_is_advised_and_a_cheaper_one_only_within_two_points():
    far = Offer("far", worst=70, moved=9, price=(1, 9))
    cheap = Offer("cheap", worst=72, moved=1, price=(1, 1))
    cheapest = Offer("cheapest", worst=73, moved=0, price=(0, 0))

    assert largest_gain([far, cheapest], 100) is far
    assert largest_gain([far, cheap, cheapest], 100) is cheap
    assert largest_gain([cheapest], 73) is None
