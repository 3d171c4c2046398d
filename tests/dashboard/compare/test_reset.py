"""Assignors: what `auto.offset.reset` is where commits are missing."""

import json

import pytest

PARTITIONS = [
    {"begin_offset": 100, "end_offset": 1000},
    {"begin_offset": 0, "end_offset": 50, "committed_offset": 30},
    {"begin_offset": 400, "end_offset": 1000},
]
MEMBERS = [
    {"member_id": name, "subscribed": ["orders"], "owned": {"orders": owned}}
    for name, owned in (("a", [0, 1]), ("b", [2]))
]


def written(**more):
    return json.dumps(
        {
            "format": "evenkeel.group/1",
            "group_id": "g",
            "topics": [{"name": "orders", "partitions": PARTITIONS}],
            "members": MEMBERS,
        }
        | more
    )


@pytest.fixture
def uncommitted(page):
    """Two of three partitions have no commit, and the input does not say where the group starts
    then.
    """
    page.paste(written())
    return page.open("compare")


def choose(page, policy):
    page.app.segmented_control(key="reset").set_value(policy).run()
    assert not page.app.exception
    return page


def test_where_commits_are_missing_their_lag_is_unknown_until_a_policy_is_assumed(uncommitted):
    assert uncommitted.kpis["Lag"] == "≥ 20"
    assert "2 partitions have no commit. Assume `auto.offset.reset`" in [
        caption.value for caption in uncommitted.app.caption
    ]
    assert "reset" not in uncommitted.address


@pytest.mark.parametrize(
    ("policy", "total", "said"),
    [("earliest", "1,520", "the begin offset"), ("latest", "20", "the end offset")],
)
def test_an_assumed_policy_gives_lag_and_answer_and_stands_in_the_address_and_among_the_assumed(
    uncommitted, policy, total, said
):
    choose(uncommitted, policy)

    assert uncommitted.kpis["Lag"] == total
    assert uncommitted.address["reset"] == policy
    assert uncommitted.remarks["this input"] == [
        f"auto.offset.reset is {policy}: a partition without a commit is read from {said}"
    ]


def test_a_link_has_the_policy_and_unknown_takes_it_out(uncommitted):
    page = uncommitted.anew().open("compare", **(choose(uncommitted, "earliest").address))

    assert page.kpis["Lag"] == "1,520"
    assert "reset" not in choose(page, "unknown").address
    assert page.kpis["Lag"] == "≥ 20"


def test_the_answer_of_the_lag_assignor_follows_the_policy(uncommitted):
    answers = [choose(uncommitted, policy).table["lag"][2] for policy in ("earliest", "latest")]

    assert answers == ["900", "20"]


def test_another_group_has_no_assumed_policy(uncommitted):
    choose(uncommitted, "earliest").open("start")
    uncommitted.app.button(key="forget-import").click().run()
    uncommitted.paste(written(group_id="other")).open("compare")

    assert uncommitted.kpis["Lag"] == "≥ 20"
    assert "reset" not in uncommitted.address


@pytest.mark.parametrize(
    "document",
    [
        written(auto_offset_reset="earliest"),
        written(
            topics=[
                {"name": "orders", "partitions": [{"end_offset": 9, "committed_offset": 4}] * 3}
            ]
        ),
        written(topics=[{"name": "orders", "partitions": [{"lag": 4}] * 3}]),
        written(topics=[{"name": "orders", "partitions": 3}]),
    ],
    ids=["the input says it", "all committed", "lags", "nothing known"],
)
def test_the_choice_is_not_there_where_it_decides_nothing(page, document):
    page.paste(document).open("compare", reset="latest")

    assert not page.app.exception
    assert not [one for one in page.app.get("button_group") if "reset" in str(one.proto.id)]
    assert "auto.offset.reset is" not in page.html
    assert "reset" not in page.address


def test_a_policy_that_there_is_not_is_said(page, uncommitted):
    page = uncommitted.anew().open("compare", **uncommitted.address, reset="newest")

    assert page.warnings == [
        "The URL asks for the auto.offset.reset “newest”; available: unknown, earliest, latest."
    ]
