"""Whether a group drains: one answer for a switch, the best plan and the advice."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.data.commands.main import main
from evenkeel.data.compare.advice import advice_of
from evenkeel.data.diagnosis import answer as of_one
from evenkeel.data.diagnosis.answer import diagnosed
from evenkeel.data.diagnosis.reading import Readings, between
from evenkeel.data.diagnosis.summary import summary_of
from evenkeel.data.group.columns import observed_from_document
from evenkeel.data.group.document import FORMAT, Document, Member, Partition, Topic
from tests.data.diagnosis.listed import answer
from tests.data.diagnosis.test_kinds import KINDS
from tests.data.diagnosis.test_two_readings import HEAD

OWNED = {"a": [0, 1, 2], "b": [3], "c": [4]}
READ = [6_000, 3_000, 3_000, 12_000, 12_000]
END = [206_000, 103_000, 103_000, 112_000, 112_000]


def uneven(*intake, old=None, **facts):
    """Return the diagnosis of two readings, 120 s apart, of three members that read 100 records/s
    each. `intake`: records/s into each of five partitions, `old`: into a topic that nobody
    subscribes to. `facts`: keys of the document.

    `range` gives `a` the partitions 0 and 1, `b` 2 and 3, `c` 4.
    """
    members = [Member(name, ["orders"], owned={"orders": owned}) for name, owned in OWNED.items()]
    groups = []
    for past in (0, 1):
        partitions = [
            Partition(end_offset=end - 120 * rate * (1 - past), committed_offset=read * past)
            for end, rate, read in zip(END, intake, READ, strict=True)
        ]
        topics = [Topic("orders", partitions)]
        if old is not None:
            end = 1_000 + 120 * old * past
            topics.append(Topic("old", [Partition(end_offset=end, committed_offset=10)]))
        document = Document(
            format=FORMAT,
            group_id="g",
            state="Stable",
            taken_at=datetime(2026, 11, 27, 9, tzinfo=UTC) + timedelta(seconds=120 * past),
            topics=topics,
            members=members,
            **({"assignor": "sticky"} | facts),
        )
        groups.append(observed_from_document(document))
    return diagnosed(between(groups[0], Readings(groups[1])))


def helps(one):
    return {each.action.value: each.helps.value for each in one.remedies}


def test_no_assignment_helps_if_a_partition_gets_more_than_any_member_reads():
    one = uneven(150, 10, 10, 10, 10)

    assert one.code == "uneven"
    assert helps(one) == {"nothing": "no", "switch": "no", "best_plan": "no"}
    assert one.advice == "No assignment drains it at this pace: make reading faster."
    assert one.no_switch == "Another assignor does not help: it does not drain at this pace."
    assert advice_of(one.document())[2:] == (False, None, 0, None)
    assert one.drain_of(Assignment(np.array([0, 1, 1, 2, 2], np.int32))).is_endless


def test_a_switch_after_which_the_group_never_drains_is_not_advised():
    # Now `a` gets 80/s and `b` 60; under range `b` gets 120 and reads 100.
    one = uneven(10, 10, 60, 60, 10)

    # 400,000 records fall by 20/s.
    assert one.remedies[0].drain_seconds == 20_000
    assert helps(one) == {"nothing": "unknown", "switch": "no", "best_plan": "unknown"}
    assert one.advice == "It catches up by itself, drained in about 5h 33m."


@pytest.mark.parametrize(
    ("first", "verdict", "seconds"),
    # Partition 0 has its own reader under the weights: 200,000 records at 100 less its rate.
    [(150, "no", None), (50, "unknown", 4_000)],
)
def test_weights_help_a_broker_only_if_the_group_drains_under_them(first, verdict, seconds):
    one = uneven(first, 10, 10, 10, 10, type="consumer", assignor="uniform")

    (weights,) = [each for each in one.remedies if each.action.value == "weights"]

    assert one.code == "uneven"
    assert (weights.helps.value, weights.drain_seconds) == (verdict, seconds)


@pytest.mark.parametrize("old", [None, 40_000])
def test_records_of_a_topic_that_nobody_subscribes_to_do_not_count(old):
    one = uneven(50, 10, 10, 10, 10, old=old)
    # By topic name: `old` comes first.
    owner = [UNASSIGNED] * (old is not None) + [0, 1, 1, 2, 2]

    assert (one.code, one.case.left_lag > 0) == ("uneven", old is not None)
    assert helps(one) == {"nothing": "unknown", "switch": "yes", "best_plan": "unknown"}
    # 400,000 records of `a` fall by 100 less 70/s.
    assert one.remedies[0].drain_seconds == 13_334
    # Partition 0 has its own reader then: 200,000 records at 100 less 50 a second.
    assert one.drain_of(Assignment(np.array(owner, np.int32))).text == "drained in about 1h 6m"


@pytest.mark.parametrize("truth", KINDS, ids=[kind["kind"] for kind in KINDS])
def test_a_summary_makes_remedies_only_for_a_cause_whose_advice_needs_them(truth, monkeypatch):
    made = []
    monkeypatch.setattr(of_one, "remedies_of", lambda *given: made.append(1) or [])
    one = answer(truth["text"], truth["file"])

    summary_of(one)

    assert not made or (one.code in ("behind", "uneven") and not one.case.is_one_reading)


def test_the_plan_of_best_is_said_not_to_drain(tmp_path, capsys):
    lines = []
    for past, at in enumerate(("2026-11-27T09:00:00Z", "2026-11-27T09:02:00Z")):
        lines += [at, "", HEAD]
        for number, (end, rate, read) in enumerate(
            zip(END, (150, 10, 10, 10, 10), READ, strict=True)
        ):
            committed, now = read * past, end - 120 * rate * (1 - past)
            owner = "aaabc"[number]
            figures = f"{committed} {now} {now - committed}"
            lines.append(f"g orders {number} {figures} {owner}-1 /10.0.0.{number} {owner}")
        lines.append("")
    path = tmp_path / "two.txt"
    path.write_text("\n".join(lines))

    assert main(["best", str(path)]) == 0

    assert capsys.readouterr().out.splitlines()[1:3] == [
        "Another assignor does not help: it does not drain at this pace.",
        "This plan does not drain at this pace.",
    ]
