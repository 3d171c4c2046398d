"""Causes that only a history tells, in the diagnosis of one group."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from evenkeel.assignors.diagnosis.finding import Code, Finding, Severity
from evenkeel.assignors.diagnosis.past import with_past
from evenkeel.dashboard.overview.words import evidence
from evenkeel.data.diagnosis.answer import Context, diagnosed
from evenkeel.data.diagnosis.words import WORDS
from evenkeel.data.diagnosis.words_over_time import OVER_TIME
from tests.data.diagnosis.listed import readings

NOW = datetime(2026, 11, 27, 9, 14, tzinfo=UTC)
LISTING = """\
GROUP    TOPIC  PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG    CONSUMER-ID HOST      CLIENT-ID
payments orders 0         100            184311         184211 a-1         /10.0.0.1 pay-a
payments orders 1         100            104            4      b-1         /10.0.0.2 pay-b
"""

OF_TIME = {
    Code.LOST: (
        {"records": 1078},
        {"because": "stalled"},
        (
            "At least 1,078 records of orders-0 were deleted before payments read them: pay-a does"
            " not read it."
        ),
        (
            "kafka-configs.sh --bootstrap-server … --describe --all --entity-type topics"
            " --entity-name orders"
        ),
    ),
    Code.LOSES: (
        {"expected": NOW.timestamp() + 4800, "latest": None, "in_memory": None, "lag": 184_211},
        {"because": "stalled"},
        "orders-0 loses unread records in about 1h 20m: pay-a does not read it.",
        "kafka-consumer-groups.sh --bootstrap-server … --describe --group payments",
    ),
    Code.BLOCKED: (
        {"lso": 460, "lag": 184_211},
        {},
        (
            "A transaction is open on orders-0: readers with isolation.level=read_committed cannot"
            " pass offset 460."
        ),
        "kafka-transactions.sh --bootstrap-server … find-hanging --topic orders --partition 0",
    ),
    Code.NEVER_DRAINS: (
        {"missing": 12.5, "lag": 184_211, "lag_seconds": 600},
        {},
        "pay-a reads 12.5 records/s less than arrive in orders-0: 184 k records wait.",
        "kafka-consumer-groups.sh --bootstrap-server … --describe --group payments --members",
    ),
    Code.OVER_SLO: (
        {"lag_seconds": 600, "slo": 300},
        {},
        "orders-0 is 10 m late, over the objective of 5 m.",
        "kafka-consumer-groups.sh --bootstrap-server … --describe --group payments",
    ),
    Code.UNSTABLE: (
        {"restarts": 8, "pace": 90},
        {},
        "pay-a left and came back 8 times, every 1m 30s.",
        "kafka-consumer-groups.sh --bootstrap-server … --describe --group payments --members",
    ),
    Code.BURSTS: (
        {"count": 8},
        {},
        "payments rebalances again and again: members or owners changed at 8 readings.",
        (
            "kafka-consumer-groups.sh --bootstrap-server … --describe --group payments --members"
            " --verbose"
        ),
    ),
    Code.SILENT: (
        {"last_slot": NOW.timestamp() - 240},
        {"reason": "no broker answers"},
        "payments has not been read for 4 m: no broker answers.",
        "kafka-consumer-groups.sh --bootstrap-server … --describe --group payments --state",
    ),
    Code.FORGOTTEN: (
        {"lag": 184_211, "last_member_seen": NOW.timestamp() - 90_000},
        {},
        "payments has had no member for 25 h: 184 k records wait.",
        "kafka-consumer-groups.sh --bootstrap-server … --describe --group payments --state",
    ),
}
"""Figures, details, sentence and command by code."""


def over_time(code, figures, detail, at=NOW):
    """Return the diagnosis of a listing, of which a history knows one cause."""
    finding = Finding(code, Severity.CRITICAL, (0,), (0,), (), 184_211, figures, detail)
    one = readings(LISTING)
    one = one._replace(now=replace(one.now, taken_at=at))
    return diagnosed(one, Context(over_time=[finding]))


def of_code(answer, code):
    """Return the only finding of a code, as JSON has it."""
    (only,) = (each for each in answer.document()["findings"] if each["code"] == code.value)
    return only


@pytest.mark.parametrize("code", Code)
def test_every_code_has_words(code):
    assert WORDS[code].short


@pytest.mark.parametrize(
    ("code", "figures", "detail", "sentence", "command"),
    [(code, *facts) for code, facts in OF_TIME.items()],
    ids=[code.value for code in OF_TIME],
)
def test_a_cause_over_time_has_its_sentence_with_the_names_of_the_group(
    code, figures, detail, sentence, command
):
    entry = of_code(over_time(code, figures, detail), code)

    assert (entry["text"], entry["command"]) == (sentence, command)
    assert entry["advice"]


def test_lost_records_come_before_what_one_reading_shows():
    answer = over_time(Code.LOST, {"records": 1}, {})

    assert (answer.code, answer.short) == (Code.LOST, "Lost records")
    assert answer.sentence == "At least 1 record of orders-0 was deleted before payments read them."


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (Code.LOSES, "orders-0 loses unread records: pay-a does not read it."),
        (Code.SILENT, "payments has not been read for a long time: no broker answers."),
        (Code.FORGOTTEN, "payments has had no member for a long time: 184 k records wait."),
    ],
)
def test_a_reading_of_an_unknown_time_gives_no_duration(code, sentence):
    figures, detail, _, _ = OF_TIME[code]

    assert of_code(over_time(code, figures, detail, at=None), code)["text"] == sentence


@pytest.mark.parametrize("code", OF_TIME, ids=lambda code: code.value)
def test_no_switch_is_said_to_help_against_what_a_history_shows(code):
    figures, detail, *_ = OF_TIME[code]
    remedies = over_time(code, figures, detail).document()["remedies"]

    assert [each["helps"] for each in remedies if each["action"] == "switch"] in ([], ["no"])


def test_consumers_are_started_where_a_group_without_members_loses_records():
    answer = over_time(Code.LOSES, OF_TIME[Code.LOSES][0], {"because": "down"})

    assert [
        each["helps"] for each in answer.document()["remedies"] if each["action"] == "start"
    ] == ["yes"]


def test_a_stall_with_a_history_begins_with_it_and_says_the_time_between_two_readings():
    read = Finding(Code.STALLED, Severity.WARNING, tps=(0,), figures={"seconds": 300, "lag": 9})
    past = Finding(Code.STALLED, Severity.WARNING, tps=(0,), since=NOW.timestamp() - 7200)

    (both,) = with_past([read], [past])

    # A duration would differ between pages that read another part of the history.
    assert (both.figures["seconds"], both.since) == (300, past.since)


@pytest.mark.parametrize("code", [Code.STALLED, Code.STUCK])
def test_a_stall_does_not_begin_with_the_stall_of_other_partitions(code):
    read = Finding(code, Severity.WARNING, tps=(1,))
    past = Finding(code, Severity.WARNING, tps=(0,), since=NOW.timestamp() - 7200)

    assert with_past([read], [past]) == [read, past]


def test_the_evidence_of_a_cause_with_a_history_is_the_history_and_no_pair_of_readings():
    cause = Finding(
        Code.NEVER_DRAINS,
        Severity.WARNING,
        (0,),
        (0,),
        lag=184_211,
        figures=OF_TIME[Code.NEVER_DRAINS][0],
        detail={OVER_TIME: True},
        since=NOW.timestamp() - 7200,
    )
    seen = diagnosed(readings(LISTING), Context(over_time=(cause,)))

    assert evidence(seen, seen.settles, 2)[1].startswith("The history of the group shows it.")


@pytest.mark.parametrize(
    ("why", "told"),
    [("no answer", "a broker does not answer"), ("no leader", "no partition has a leader")],
)
def test_a_lag_that_is_unknown_for_some_slots_has_the_reason_of_the_slots(why, told):
    figures = {"partitions": 2, "why": why, "lag": None}
    cause = Finding(
        Code.UNKNOWN,
        Severity.WARNING,
        tps=(0, 1),
        figures=figures,
        detail={OVER_TIME: True},
        is_primary=True,
    )

    listing = LISTING.replace("184311         184211", "-              -").replace(
        "104            4 ", "-              - "
    )
    one = diagnosed(readings(listing), Context(over_time=(cause,)))

    assert [each.why for each in one.remedies if each.action == "look"] == [told]
