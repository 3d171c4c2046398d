"""Verdicts: the rules in the order of Kafka's broker, the worst reason wins, and what is not known
is never guessed.
"""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.assignors.readiness.facts import Answer, Broker, Facts, Member, Verdict
from evenkeel.assignors.readiness.rules import judge

_OPEN = Broker(is_on=True, policy="bidirectional", max_size=2**31 - 1)
_NEW = {"java": "4.1", "librdkafka": "2.12"}


def _group(client="java", protocol="range", count=3, user_data=0, **facts):
    members = tuple(
        Member(f"m{number}", clients=frozenset([client]), user_data=user_data)
        for number in range(count)
    )
    return Facts(
        "g",
        "classic",
        "Stable",
        "consumer",
        protocol,
        members,
        leader=client,
        is_leader_certain=True,
        **facts,
    )


def _codes(judged):
    return [reason.code for reason in judged.reasons]


@pytest.mark.parametrize(
    ("facts", "broker", "verdict", "answer", "refusal"),
    [
        (_group(), _OPEN, "ready", "accepts", None),
        (_group("librdkafka"), _OPEN, "ready", "accepts", None),
        (
            _group("librdkafka", "cooperative-sticky", user_data=44),
            _OPEN,
            "blocked",
            "refuses",
            "user-data",
        ),
        (_group("librdkafka", "cooperative-sticky"), _OPEN, "note", "accepts", None),
        (_group("kafka-python"), _OPEN, "blocked", "accepts", None),
        (_group(protocol="with-words", user_data=5), _OPEN, "blocked", "refuses", "user-data"),
        (_group(protocol="wordless"), _OPEN, "ready", "accepts", None),
        (replace(_group(), protocol_type="connect"), _OPEN, "blocked", "refuses", "protocol-type"),
        (_group(), replace(_OPEN, policy="disabled"), "blocked", "refuses", "policy"),
        (_group(), replace(_OPEN, policy="downgrade"), "blocked", "refuses", "policy"),
        (_group(), replace(_OPEN, policy="UPGRADE"), "note", "accepts", None),
        (_group(), replace(_OPEN, max_size=2), "blocked", "refuses", "size"),
        (_group(), replace(_OPEN, max_size=3), "note", "accepts", None),
        (_group(), replace(_OPEN, is_on=False), "blocked", "refuses", "protocol-off"),
        (
            replace(_group(count=0), state="Empty"),
            replace(_OPEN, policy="disabled"),
            "ready",
            "accepts",
            None,
        ),
        (
            replace(_group(count=0), state="Empty"),
            replace(_OPEN, is_on=None),
            "unknown",
            "unknown",
            None,
        ),
        (
            replace(_group(count=0), state="Empty"),
            replace(_OPEN, is_on=False),
            "blocked",
            "refuses",
            "protocol-off",
        ),
        (
            replace(_group(count=0), group_type="consumer", members_known=False),
            _OPEN,
            "unknown",
            "accepts",
            None,
        ),
        (
            replace(_group(protocol=None), state="PreparingRebalance"),
            _OPEN,
            "unknown",
            "refuses",
            "first-rebalance",
        ),
        (
            replace(_group(protocol=None), state="PreparingRebalance", owns=True),
            _OPEN,
            "ready",
            "accepts",
            None,
        ),
        (_group(), Broker(), "unknown", "unknown", None),
        (replace(_group(), group_type="share"), _OPEN, "other", None, None),
        (replace(_group(), group_type="streams"), _OPEN, "other", None, None),
    ],
)
def test_a_kind_of_group_has_another_verdict_than_the_broker_gives_it(
    facts, broker, verdict, answer, refusal
):
    judged = judge(facts, broker, _NEW)

    assert (judged.verdict, judged.broker, judged.refusal) == (verdict, answer, refusal)


def test_the_first_refusal_in_the_brokers_order_is_named():
    facts = replace(_group(user_data=4), protocol_type="connect")

    judged = judge(facts, replace(_OPEN, policy="disabled", max_size=1), _NEW)

    assert (judged.refusal, _codes(judged)[:4]) == (
        "policy",
        ["policy", "protocol-type", "size", "user-data"],
    )


def test_a_version_that_nobody_gave_is_asked_for_and_blocks_nothing():
    judged = judge(_group(), _OPEN)

    assert (judged.verdict, _codes(judged)) == (Verdict.NOTE, ["ask-version"])


@pytest.mark.parametrize(
    ("release", "verdict"),
    [
        ("3.6", "blocked"),
        ("3.8", "note"),
        ("4.0", "ready"),
        ("4", "ready"),
        ("4.0-rc1", "ready"),
        ("4.0.1", "ready"),
        ("10", "ready"),
    ],
)
def test_a_given_release_decides(release, verdict):
    assert judge(_group(), _OPEN, {"java": release}).verdict == verdict


def test_settings_that_cannot_be_read_leave_a_sure_refusal_as_it_is():
    judged = judge(_group("librdkafka", "cooperative-sticky", user_data=44), Broker(), _NEW)

    assert (judged.verdict, judged.broker, judged.refusal) == (
        Verdict.BLOCKED,
        Answer.REFUSES,
        "user-data",
    )


def test_without_bytes_of_assignments_the_answer_is_unknown_but_librdkafkas_sticky_likely_refused():
    java, sticky = (
        judge(_group(client, protocol, user_data=None), _OPEN, _NEW)
        for client, protocol in (("java", "range"), ("librdkafka", "cooperative-sticky"))
    )

    assert (java.verdict, java.broker) == (Verdict.UNKNOWN, Answer.UNKNOWN)
    assert (sticky.verdict, sticky.broker) == (Verdict.NOTE, Answer.UNKNOWN)


def test_one_member_of_librdkafkas_sticky_may_bounce_because_the_group_is_empty_meanwhile():
    assert (
        judge(_group("librdkafka", "cooperative-sticky", count=1), _OPEN, _NEW).verdict
        == Verdict.READY
    )


def test_a_group_of_the_broker_is_done_without_classic_members_and_unknown_with_silent_ones():
    protocols = (("consumer", "consumer"), ("consumer", "classic"), ("consumer", None))
    groups = [
        replace(
            _group(),
            group_type="consumer",
            members=tuple(
                Member(one or "?", protocol=one, clients=frozenset(["java"])) for one in some
            ),
        )
        for some in protocols
    ]

    assert [judge(one, _OPEN, _NEW).verdict for one in groups] == ["done", "note", "unknown"]


def test_members_that_can_be_a_client_which_cannot_or_one_which_can_are_not_blocked():
    facts = replace(
        _group(),
        leader=None,
        members=(Member("m", clients=frozenset(["aiokafka", "librdkafka"]), user_data=0),),
    )

    assert judge(facts, _OPEN).verdict == Verdict.NOTE


_MEMBERS = st.builds(
    Member,
    member_id=st.text("abc", min_size=1, max_size=3),
    clients=st.frozensets(
        st.sampled_from(["java", "librdkafka", "kafka-python", "franz-go", "platformatic"]),
        max_size=3,
    ),
    instance_id=st.none() | st.just("i"),
    protocol=st.sampled_from([None, "classic", "consumer"]),
    user_data=st.none() | st.integers(0, 9),
    is_malformed=st.booleans(),
    has_expression=st.booleans(),
)
_FACTS = st.builds(
    Facts,
    group_id=st.just("g"),
    group_type=st.sampled_from([None, "classic", "consumer", "share", "streams"]),
    state=st.sampled_from([None, "Stable", "Empty", "PreparingRebalance", "Dead"]),
    protocol_type=st.sampled_from([None, "consumer", "connect"]),
    protocol=st.sampled_from([None, "range", "cooperative-sticky", "stream", "words"]),
    members=st.lists(_MEMBERS, max_size=4).map(tuple),
    leader=st.sampled_from([None, "java", "librdkafka", "kafka-python"]),
    is_leader_certain=st.booleans(),
    members_known=st.booleans(),
)
_BROKERS = st.builds(
    Broker,
    is_on=st.sampled_from([None, True, False]),
    policy=st.sampled_from([None, "bidirectional", "upgrade", "downgrade", "disabled"]),
    max_size=st.none() | st.integers(1, 4),
    session_timeout_ms=st.sampled_from([None, 45_000, 30_000]),
)


@given(_FACTS, _BROKERS)
def test_a_refusal_goes_with_an_answer_that_refuses_and_the_verdict_is_that_of_the_worst_reason(
    facts, broker
):
    judged = judge(facts, broker)

    assert (judged.broker == Answer.REFUSES) == (judged.refusal is not None)
    assert judged.worst is None or judged.worst.kind == judged.verdict
    if judged.verdict == Verdict.READY:
        assert judged.broker == Answer.ACCEPTS
    if judged.broker == Answer.ACCEPTS and facts.group_type == "classic" and facts.members:
        assert broker.is_known
        assert not any(
            member.user_data is None or member.user_data
            for member in facts.members
            if not member.is_malformed
        )
