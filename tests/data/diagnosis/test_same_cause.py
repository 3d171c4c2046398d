"""A group that differs in what does not matter has the same cause: other names, another order, more
lag, one more healthy topic.
"""

import json
import re

import pytest

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.compare.comparison import compare
from evenkeel.assignors.group.lag import page_lag
from evenkeel.data.best.answer import found_for
from evenkeel.data.best.request import PlanRequest
from evenkeel.data.best.tables import best_text, moved_table
from evenkeel.data.diagnosis.offers import offers_of
from tests.data.diagnosis.listed import answer, codes, listing, subject

NAMES = [
    "dead",
    "hot",
    "unowned",
    "neg",
    "twotopic",
    "even",
    "same",
    "fine",
    "unknown",
    "idle",
    "rebal",
    "noactive",
]
GROUP = re.compile(
    r"(\S+)\s+(\S+)\s+(\d+)\s+(-|\d+)\s+(-|\d+)\s+(-|-?\d+)\s+(\S+)\s+(\S+)\s+(\S+)\s*"
)


def rows(text):
    return [found.groups() for line in text.splitlines() if (found := GROUP.fullmatch(line))]


def changed(text, change):
    """Return the text with each row of partitions changed; other lines stay."""
    lines = []
    for line in text.splitlines():
        found = GROUP.fullmatch(line)
        lines.append("  ".join(change(*found.groups())) if found else line)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", NAMES)
def test_other_names_of_members_change_nothing_but_the_names(name):
    text = listing(name)

    def renamed(member):
        return member if member == "-" else f"zz{member[::-1]}"

    other = text
    for member in {row[6] for row in rows(text)} - {"-"}:
        other = other.replace(member, renamed(member))
    one, two = answer(text), answer(other)

    assert codes(one) == codes(two)
    assert [renamed(member) for member in subject(one)["members"]] == subject(two)["members"]
    assert dict(one.headline.figures) == dict(two.headline.figures)


@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_lines_and_the_numbers_of_partitions_change_nothing(name):
    text = listing(name)
    counts = {row[1]: sum(other[1] == row[1] for other in rows(text)) for row in rows(text)}
    other = changed(text, lambda *row: (*row[:2], str(counts[row[1]] - 1 - int(row[2])), *row[3:]))
    if "ASSIGNMENT" in text:
        other = re.sub(r"\((\d)\)", lambda found: f"({3 - int(found[1])})", other)
    one, two = answer(text), answer(other)

    assert codes(one) == codes(two)
    assert sorted(subject(one)["members"]) == sorted(subject(two)["members"])
    assert one.headline.lag == two.headline.lag


@pytest.mark.parametrize(
    "name", ["dead", "hot", "unowned", "twotopic", "even", "same", "rebal", "noactive"]
)
def test_ten_times_the_lag_is_the_same_cause(name):
    text = listing(name)

    def tenfold(group, topic, partition, committed, end, lag, *owner):
        return (
            group,
            topic,
            partition,
            committed,
            str(int(committed) + 10 * int(lag)),
            str(10 * int(lag)),
            *owner,
        )

    one, two = answer(text), answer(changed(text, tenfold))

    assert codes(one) == codes(two)
    assert subject(one) == subject(two)
    assert two.case.total == 10 * one.case.total


@pytest.mark.parametrize(
    "name", ["dead", "hot", "unowned", "neg", "twotopic", "even", "same", "unknown"]
)
def test_one_more_topic_that_every_member_reads_well_is_no_other_cause(name):
    text = listing(name)
    group = rows(text)[0][0]
    owners = list(dict.fromkeys(row[6:9] for row in rows(text) if row[6] != "-"))
    healthy = [
        f"{group} a.healthy {number} 700 703 3 {'  '.join(owner)}"
        for number, owner in enumerate(owners)
    ]
    one, two = answer(text), answer("\n".join([text.rstrip("\n"), *healthy, ""]))

    assert codes(one)[0] == codes(two)[0]
    assert subject(one)["partitions"] == subject(two)["partitions"]
    assert two.case.total == one.case.total + 3 * len(owners)


def test_compare_counts_a_partition_with_two_owners_as_the_diagnosis_does():
    head = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
    rows = (
        "g t 0 0 30000 30000 a-1 /10.0.0.1 a\ng t 0 0 30000 30000 b-1 /10.0.0.2 b\n"
        "g t 1 0 20000 20000 b-1 /10.0.0.2 b\ng t 2 0 10000 10000 a-1 /10.0.0.1 a\n"
    )
    one = answer(head + rows)
    group, current = one.observed.snapshot, one.observed.current

    now = compare(group, current, [ASSIGNORS["range"]()]).rows[0].balance
    best = found_for(PlanRequest(), one.observed).best

    # b owns t-0 and t-1, a owns t-2: 60,000 records in all, each counted once.
    assert one.headline.figures["worst"] == 50_000
    assert (now.worst_lag, now.mean_lag, now.total_lag) == (50_000, 30_000, 60_000)
    # For a plan such a partition has no owner: b has t-1 left.
    assert best.current_value == 20_000


def test_a_partition_with_two_owners_moves_from_the_first_one():
    lags = (80_000, 30_000, 20_000, 10_000)
    document = {
        "format": "evenkeel.group/1",
        "group_id": "g",
        "topics": [{"name": "t", "partitions": [{"lag": lag} for lag in lags]}],
        "members": [
            {"member_id": "a-1", "subscribed": ["t"], "owned": {"t": [0, 1, 2]}},
            {"member_id": "b-1", "subscribed": ["t"], "owned": {"t": [1, 3]}},
        ],
    }
    observed = answer(json.dumps(document), "g.json").observed
    group, current = observed.snapshot, observed.current

    row = compare(group, current, [ASSIGNORS["roundrobin"]()]).rows[1]
    offers = {each.name: each for each in offers_of(observed)(page_lag(group))}
    plan = found_for(PlanRequest(), observed)
    text = best_text(plan)

    # roundrobin gives b the partitions 1 and 3: it has 1 already, as its second owner.
    assert (row.moved_partitions, row.moved_lag, offers["roundrobin"].moved) == (1, 30_000, 1)
    # For a plan partition 1 has no owner: a has 80,000 + 20,000 now, and partition 0 in the end.
    assert "now 100,000 records; proved best; 1 move." in text
    assert "t 1        –     b-1  30,000\nt 2        a-1   b-1  20,000\n" in text
    assert "1 of these is no move: now without an owner, with two owners, or with an" in text
    assert moved_table(plan)["from_member"].to_pylist() == [None, "a-1"]
