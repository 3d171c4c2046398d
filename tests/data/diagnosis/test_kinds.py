"""A group of each kind with its truth: cause, subject, totals; and rules of words that hold for
every sentence.
"""

import gzip
import json
import re
from pathlib import Path

import pytest

from evenkeel.assignors.diagnosis.finding import Code
from evenkeel.data.diagnosis import words
from evenkeel.data.text.formats import number
from tests.data.diagnosis.listed import answer, codes, subject

KINDS = [
    json.loads(line)
    for line in gzip.decompress((Path(__file__).parent / "kinds.jsonl.gz").read_bytes())
    .decode()
    .splitlines()
]

SWITCH = ("worth it", "no assignor", "rolling restart", "alone carries", "fair share")
NAMES = ("roundrobin", "cooperative-sticky", "range", "sticky", "uniform")
EVERYWHERE = (
    "at fault",
    "already best",
    "best possible",
    "shown as 0",
    "under every assignor",
    "whether a switch",
)
SPLIT = ("split", "its key", "add partitions", "alone carries", *NAMES)
FORBIDDEN = {
    Code.STALLED: SWITCH[:3] + NAMES,
    Code.SILENT_MEMBER: SWITCH[:3] + NAMES,
    Code.SLOW_MEMBER: SWITCH[:3] + NAMES,
    Code.ONE_PARTITION: SPLIT,
    Code.STUCK: SPLIT,
    Code.UNREAD: ("every partition", "fair share", *NAMES),
    Code.DOWN: NAMES,
    Code.PAST_END: NAMES,
    Code.LEFT: NAMES,
    Code.UNCOMMITTED: NAMES,
    Code.REBALANCING: ("idle", "no member"),
    Code.BEHIND: ("spread evenly", "split its key"),
    Code.FINE: ("jar", "restart"),
    Code.UNKNOWN: ("no assignor",),
}


@pytest.mark.parametrize("truth", KINDS, ids=[kind["kind"] for kind in KINDS])
def test_the_cause_its_subject_and_the_total_are_those_of_the_truth(truth):
    one = answer(truth["text"], truth["file"])

    assert codes(one)[0] in truth["headline"]
    assert one.case.total == truth["total_lag"]
    assert set(truth["notes"]) <= set(codes(one)[1:])
    for kind in ("members", "partitions"):
        named = subject(one)[kind]
        # Of an uneven group the truth is the worst member, which comes first.
        expected = truth[kind] or named
        assert sorted(named[:1] if codes(one)[0] == "uneven" else named) == sorted(expected)


@pytest.mark.parametrize("truth", KINDS, ids=[kind["kind"] for kind in KINDS])
def test_sentences_and_advice_are_short_and_have_no_word_that_is_another_causes(truth):
    one = answer(truth["text"], truth["file"])

    for finding in one.diagnosis.findings:
        sentence, advice = words.sentence(finding, one.names), words.advice(finding, one.names)
        assert max(len(sentence), len(advice)) <= 160
        assert sentence.endswith(".")
        assert ";" not in sentence
        assert not re.search(r"\d\d:\d\d", sentence)
        outside = () if finding.code == Code.UNEVEN else SWITCH
        told = f"{sentence} {advice}".lower()
        said = [
            word
            for word in (*EVERYWHERE, *outside, *FORBIDDEN.get(finding.code, ()))
            if word in told
        ]
        assert said == []


@pytest.mark.parametrize("truth", KINDS, ids=[kind["kind"] for kind in KINDS])
def test_every_number_of_a_sentence_is_a_figure(truth):
    one = answer(truth["text"], truth["file"])
    finding = one.headline
    figures = [value for value in finding.figures.values() if isinstance(value, int | float)]
    known = {number(int(value)) for value in figures} | {f"{value:,}" for value in figures} | {"0"}
    known |= {f"{len(some):,}" for some in (finding.members, finding.tps)}

    plain = one.sentence
    for name in sorted(_names(one), key=len, reverse=True):
        plain = plain.replace(name, "")
    more = {
        f"{len(some) - shown:,}" for some in (finding.members, finding.tps) for shown in (1, 2, 3)
    }

    assert set(re.findall(r"\d+(?:[,.]\d+)*(?: [kMG]\b)?", plain)) <= known | more


def _names(one):
    group, names = one.observed.snapshot, one.names
    members = [names.member(row) for row in range(group.member_count)]
    partitions = [names.partition(tp) for tp in range(group.tp_count)]
    return {*members, *partitions, *group.topic_name, names.group}


@pytest.mark.parametrize("truth", KINDS, ids=[kind["kind"] for kind in KINDS])
def test_doing_nothing_is_always_a_remedy_and_no_switch_is_said_to_help_a_cause_that_it_does_not(
    truth,
):
    one = answer(truth["text"], truth["file"])
    remedies = one.document()["remedies"]

    assert remedies[0]["action"] == "nothing"
    assert len(remedies) <= 5
    assert (remedies[0]["helps"] == "yes") == (one.group_class == "fine")
    switches = [each["helps"] for each in remedies if each["action"] in ("switch", "best_plan")]
    assert "yes" not in switches or one.code == Code.UNEVEN
