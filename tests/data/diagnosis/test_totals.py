"""The lag of a group is the sum of its LAG column, in every place that counts it."""

from hypothesis import given, settings
from hypothesis import strategies as st

import evenkeel
from evenkeel.assignors import ASSIGNORS
from evenkeel.data.best.answer import found_for
from evenkeel.data.best.request import PlanRequest
from evenkeel.data.best.tables import best_text
from evenkeel.data.commands.options.files import read_groups
from evenkeel.data.compare.answer import compared_group
from evenkeel.data.diagnosis.summary import summary_of
from tests.data.diagnosis.listed import answer, readings

HEAD = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
NOTHING_WAITS = (
    "no partition lags",
    "nothing lags",
    "nothing waits",
    "every partition",
    "all partitions",
)

LAGS = st.one_of(st.integers(-40, 200), st.integers(0, 10**7))
ROWS = st.lists(
    st.tuples(st.sampled_from("abc"), LAGS, st.sampled_from(["-", "x", "y", "z"])),
    min_size=1,
    max_size=12,
)


def listing(rows) -> str:
    """Return a listing: topic, lag and owner of each partition."""
    lines, next_partition = [], {}
    for topic, lag, owner in rows:
        partition = next_partition.get(topic, 0)
        next_partition[topic] = partition + 1
        who = "- - -" if owner == "-" else f"{owner}-5b5e1c7a /10.0.0.{ord(owner)} {owner}"
        lines.append(f"g {topic} {partition} 1000 {1000 + lag} {lag} {who}\n")
    return HEAD + "".join(lines)


@settings(deadline=None, max_examples=60)
@given(ROWS)
def test_every_total_is_the_sum_of_the_column_and_what_nobody_reads_counts(rows):
    text = listing(rows)
    total = sum(max(lag, 0) for _, lag, _ in rows)
    unread = sum(max(lag, 0) for _, lag, owner in rows if owner == "-")

    diagnosis = answer(text)
    current = compared_group(readings(text), ASSIGNORS, ["range"]).rows[0].row

    assert (diagnosis.case.total, diagnosis.case.unread_lag) == (total, unread)
    assert (current["total_lag"], current["unread_lag"]) == (total, unread)
    assert evenkeel.read(text).group().lag == total


@settings(deadline=None, max_examples=40)
@given(ROWS)
def test_no_sentence_says_that_nothing_waits_while_nobody_reads_some_records(rows):
    if not any(lag > 0 and owner == "-" for _, lag, owner in rows):
        rows = [*rows, ("a", 7, "-")]
    if all(owner == "-" for _, _, owner in rows):
        rows = [*rows, ("a", 0, "x")]
    text = listing(rows)
    groups = read_groups([("a.txt", text.encode())])
    diagnosis = answer(text)

    best = best_text(found_for(PlanRequest(time_limit_s=2), groups.observed(groups.keys[0])))

    said = " ".join([diagnosis.sentence, diagnosis.advice, *diagnosis.notes, best]).lower()
    assert [words for words in NOTHING_WAITS if words in said] == []
    assert "Nobody reads" in best


def test_a_lag_of_which_only_what_was_never_committed_is_unknown_has_a_lower_bound_and_a_note():
    rows = "g t 0 950 1000 50 a-1 /10.0.0.1 a\ng t 1 - 5560000 - a-1 /10.0.0.1 a\n"
    summary = summary_of(answer(HEAD + rows))

    assert summary.lag_text == "≥ 50"
    assert summary.lag_note == "between 50 and 5.56 M: some partitions were never committed"
    assert summary_of(answer(HEAD + rows.splitlines()[0] + "\n")).lag_note == ""
