"""The member that leads: what is refused when an assignor is made, and that nothing in a rebalance
makes it raise.
"""

import json
import logging
from types import SimpleNamespace

import pytest
from evenkeel_assignors import __main__ as checking
from evenkeel_assignors import aio_kafka, kafka_python
from evenkeel_assignors.leading import Leading
from evenkeel_assignors.rule import Member

_SETTINGS = {"bootstrap_servers": "127.0.0.1:1", "group_id": "payments"}
_MEMBERS = [Member("a", ["t"], {"t": [0, 1]}, 3), Member("b", ["t"])]
_SUBSCRIBED = {"a": ["t"], "b": ["t"]}


def _leading(read=lambda _: {("t", 0): 5, ("t", 1): 3, ("t", 2): 1}, **more):
    return Leading(
        _SETTINGS,
        None,
        client="aiokafka",
        protocol="lag",
        time_limit=1.0,
        session_timeout_ms=10_000,
        read=read,
        **more,
    )


def _assigned(leading, members=_MEMBERS, count=3):
    return leading.assign(_SUBSCRIBED, lambda: members, lambda topic: range(count))


@pytest.mark.parametrize(
    "made", [kafka_python.LagAssignor, kafka_python.CooperativeLagAssignor, aio_kafka.LagAssignor]
)
def test_settings_without_a_group_are_refused_when_the_assignor_is_made(made):
    with pytest.raises(
        ValueError, match="settings: group_id is None, expected the group of the consumer"
    ):
        made({"bootstrap_servers": "127.0.0.1:1"})


@pytest.mark.parametrize(
    ("made", "settings", "limit"),
    [
        (kafka_python.LagAssignor, {"session_timeout_ms": 6000}, 2.1),
        (kafka_python.LagAssignor, {}, 15.1),
        (aio_kafka.LagAssignor, {}, 3.4),
        (aio_kafka.LagAssignor, {}, 0),
    ],
)
def test_a_time_limit_above_a_third_of_the_session_timeout_is_refused_when_the_assignor_is_made(
    made, settings, limit
):
    with pytest.raises(
        ValueError,
        match=(
            f"time_limit is {limit}, expected more than 0 and at most .* a third of"
            " session_timeout_ms"
        ),
    ):
        made(_SETTINGS | settings, time_limit=limit)


def test_a_limit_of_a_third_is_allowed():
    kafka_python.LagAssignor(_SETTINGS | {"session_timeout_ms": 6000})


def _broken(*_):
    raise RuntimeError("broken")


@pytest.mark.parametrize("members", [_broken, lambda: None, lambda: [None]])
def test_members_that_cannot_be_read_get_their_partitions_by_count(members, caplog):
    assert _leading().assign(_SUBSCRIBED, members, lambda topic: {0, 1, 2}) == {
        "a": {"t": [0, 2]},
        "b": {"t": [1]},
    }

    assert "partitions are dealt by count" in caplog.text


def test_without_the_partitions_each_member_still_has_an_answer():
    assert _leading().assign(_SUBSCRIBED, lambda: _MEMBERS, _broken) == {"a": {}, "b": {}}
    assert _leading().assign(_SUBSCRIBED, lambda: _MEMBERS, lambda topic: None) == {
        "a": {},
        "b": {},
    }


def test_a_journal_that_fails_is_logged_and_nothing_else(tmp_path, caplog):
    caplog.set_level(logging.INFO)

    assert (
        _assigned(_leading(journal=_broken))
        == _assigned(_leading(journal=tmp_path))
        == {"a": {"t": [0]}, "b": {"t": [1, 2]}}
    )

    assert [
        (one.levelname, "the journal could not be written" in one.message) for one in caplog.records
    ] == [("INFO", True)] * 2


def test_one_warning_says_which_owners_were_kept_and_why_and_the_next_join_tells_it(caplog):
    leading = _leading(_broken)

    assert _assigned(leading) == {"a": {"t": [0, 1]}, "b": {"t": [2]}}

    assert [(one.levelname, one.message) for one in caplog.records] == [
        ("WARNING", "group payments: owners keep their partitions of t: RuntimeError: broken")
    ]
    assert json.loads(leading.user_data({}, 4))["last"] == {
        "kept": ["t"],
        "why": "RuntimeError: broken",
    }


def test_the_second_round_of_a_cooperative_move_goes_on_by_the_lags_of_the_first():
    asked, lines = [], []

    def read(partitions):
        asked.append(partitions)
        return {("t", number): len(asked) * 7 * number % 5 for number in partitions["t"]}

    leading = _leading(read, is_cooperative=True, journal=lines.append)
    first = _assigned(leading, [_MEMBERS[0]._replace(owned={"t": [0, 1, 2]}), _MEMBERS[1]])
    second = _assigned(
        leading, [Member("a", ["t"], first["a"], 4), Member("b", ["t"], first["b"], 4)]
    )
    _assigned(leading, [Member("a", ["t"], second["a"], 5), Member("b", ["t"], second["b"], 5)])

    one, two, _ = map(json.loads, lines)
    assert one["assignment"] == two["assignment"] == two["sent"] == second
    assert (one["sent"], first["b"]) == (first, {})
    assert len(asked) == 2


def test_after_another_member_has_led_a_join_no_longer_tells_what_was_kept():
    leading = _leading(_broken)
    kept = []
    for leads in (True, True, False):
        if leads:
            _assigned(leading)
        leading.assigned()
        kept.append(json.loads(leading.user_data({}, 4))["last"]["kept"])

    assert kept == [["t"], ["t"], []]


def test_a_join_tells_at_most_20_topics_and_200_characters_of_why():
    topics = [f"t{number:03d}" for number in range(300)]

    def broken(_):
        raise RuntimeError("x" * 9_000)

    leading = _leading(broken)
    leading.assign(
        {"a": topics},
        lambda: [Member("a", topics, {topic: [0] for topic in topics}, 3)],
        lambda topic: range(1),
    )
    last = json.loads(leading.user_data({}, 4))["last"]

    assert (last["kept"], len(last["why"])) == (topics[:20], 200)


@pytest.mark.parametrize(
    ("state", "sent", "said"),
    [("PreparingRebalance", None, "ask again when the group is Stable"), ("Stable", {}, "none")],
)
def test_a_check_of_a_group_whose_members_show_no_topics_says_so_and_no_rights(
    capsys, state, sent, said
):
    members = [
        {"member_id": one, "member_metadata": sent, "member_assignment": None} for one in ("a", "b")
    ]
    found = {"error": None, "group_state": state, "protocol_data": "", "members": members}
    client = SimpleNamespace(
        describe_groups=lambda ids: {"g": found}, describe_topics=lambda topics: []
    )
    asked = object.__new__(checking._AskKafkaPython)
    asked.reads = SimpleNamespace(open=lambda: None, client=client, read=_broken)

    assert checking._check(asked, "g") == checking.MISSING

    out = capsys.readouterr().out
    assert out.startswith(f"g: {state}")
    assert said in out
    assert "rights suffice" not in out
