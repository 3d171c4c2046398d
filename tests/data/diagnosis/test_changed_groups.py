"""Groups of every cause with random sizes and lags: other names, another order of partitions, ten
times the records, or one more healthy topic change neither the cause nor its subject.
"""

from collections.abc import Callable
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenkeel.data.diagnosis.answer import Answer
from tests.data.diagnosis.listed import answer, later, subject


class Row(NamedTuple):
    """A partition of a listing; unknown offsets are None, `owner` is None for nobody."""

    topic: str
    partition: int
    committed: int | None
    end: int
    owner: int | None


Group = list[list[Row]]
"""One reading, or two that are ten minutes apart."""

HEADER = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"


def _large(draw) -> int:
    return draw(st.integers(40_000, 60_000))


def _few(draw) -> int:
    return draw(st.integers(0, 9))


def _rows(draw, lag: Callable[[int], int], members: int = 4, each: int = 3) -> list[Row]:
    """Return partitions dealt to members in turn; `lag`: of a member's partition."""
    rows = []
    for number in range(members * each):
        committed = draw(st.integers(1_000_000, 2_000_000))
        owner = number % members
        rows.append(Row("t", number, committed, committed + lag(owner), owner))
    return rows


def _moved(rows: list[Row], read: Callable[[Row], int], arrived=lambda row: 5) -> list[Row]:
    """Return the same partitions later."""
    return [
        row._replace(committed=row.committed + read(row), end=row.end + arrived(row))
        for row in rows
    ]


def _down(draw) -> Group:
    return [[row._replace(owner=None) for row in _rows(draw, lambda owner: _large(draw))]]


def _unread(draw) -> Group:
    rows = _rows(draw, lambda owner: _few(draw))
    rows += [
        Row("u", number, 1_000_000, 1_000_000 + _large(draw), None)
        for number in range(draw(st.integers(1, 3)))
    ]
    return [rows]


def _silent_member(draw) -> Group:
    return [_rows(draw, lambda owner: _few(draw) if owner else _large(draw))]


def _one_partition(draw) -> Group:
    rows = _rows(draw, lambda owner: _few(draw))
    rows[5] = rows[5]._replace(end=rows[5].committed + _large(draw))
    return [rows]


def _uncommitted(draw) -> Group:
    rows = _rows(draw, lambda owner: _few(draw))
    rows[2] = rows[2]._replace(committed=None)
    return [rows]


def _past_end(draw) -> Group:
    rows = _rows(draw, lambda owner: _few(draw))
    rows[7] = rows[7]._replace(end=draw(st.integers(100, 900)))
    return [rows]


def _behind(draw) -> Group:
    return [_rows(draw, lambda owner: _large(draw))]


def _uneven(draw) -> Group:
    """Member 0 has half of twelve partitions that are alike."""
    rows = _rows(draw, lambda owner: 50_000 + draw(st.integers(0, 500)))
    return [[row._replace(owner=0 if row.partition < 6 else row.owner) for row in rows]]


def _fine(draw) -> Group:
    return [_rows(draw, lambda owner: _few(draw))]


def _stalled(draw) -> Group:
    rows = _rows(draw, lambda owner: _few(draw) if owner else _large(draw))
    return [rows, _moved(rows, lambda row: 5 if row.owner else 0)]


def _stuck(draw) -> Group:
    rows = _rows(draw, lambda owner: _few(draw))
    rows[4] = rows[4]._replace(end=rows[4].committed + _large(draw))
    return [rows, _moved(rows, lambda row: 0 if row.partition == 4 else 5)]


def _rewound(draw) -> Group:
    rows = _rows(draw, lambda owner: _few(draw))
    back = draw(st.integers(20_000, 90_000))
    return [rows, _moved(rows, lambda row: -back if row.partition == 4 else 5)]


def _slow_member(draw) -> Group:
    rows = _rows(draw, lambda owner: _few(draw) if owner else _large(draw))
    arrived = draw(st.integers(3_000, 5_000))
    return [
        rows,
        _moved(rows, lambda row: arrived if row.owner else arrived // 4, lambda row: arrived),
    ]


def _hot_partition(draw) -> Group:
    rows = _rows(draw, lambda owner: _few(draw))
    rows[5] = rows[5]._replace(end=rows[5].committed + _large(draw))
    arrived = draw(st.integers(3_000, 5_000))
    times = draw(st.integers(4, 9))
    return [
        rows,
        _moved(
            rows,
            lambda row: arrived,
            lambda row: times * arrived if row.partition == 5 else arrived,
        ),
    ]


CAUSES = {
    "down": _down,
    "unread": _unread,
    "silent_member": _silent_member,
    "one_partition": _one_partition,
    "uncommitted": _uncommitted,
    "past_end": _past_end,
    "behind": _behind,
    "uneven": _uneven,
    "fine": _fine,
    "stalled": _stalled,
    "stuck": _stuck,
    "rewound": _rewound,
    "slow_member": _slow_member,
    "hot_partition": _hot_partition,
}


def name_of(member: int) -> str:
    return f"app-{member}"


def text_of(rows: list[Row], name: Callable[[int], str] = name_of) -> str:
    """Return a listing as Kafka's tool prints it."""
    lines = [HEADER]
    for row in rows:
        lag = "-" if row.committed is None else row.end - row.committed
        owner = "- - -" if row.owner is None else f"{name(row.owner)} /10.0.0.1 {name(row.owner)}"
        committed = "-" if row.committed is None else row.committed
        lines.append(f"g {row.topic} {row.partition} {committed} {row.end} {lag} {owner}")
    return "\n".join(lines) + "\n"


def diagnosis(group: Group, name: Callable[[int], str] = name_of) -> Answer:
    texts = [text_of(rows, name) for rows in group]
    return answer(texts[0]) if len(texts) == 1 else later(*texts, 600)


def changed(group: Group, change: Callable[[Row], Row]) -> Group:
    return [[change(row) for row in rows] for rows in group]


@st.composite
def groups(draw, cause: str) -> Group:
    return CAUSES[cause](draw)


cases = pytest.mark.parametrize("cause", CAUSES)
QUICK = settings(max_examples=5, deadline=None)


@cases
@QUICK
@given(data=st.data())
def test_other_names_of_members_change_the_names_alone(cause, data):
    group = data.draw(groups(cause))
    names = data.draw(st.permutations([f"{letter}-worker" for letter in "pqrs"]))
    one, two = diagnosis(group), diagnosis(group, lambda member: names[member])

    assert one.code == two.code == cause
    new = {name_of(member): names[member] for member in range(4)}
    assert {new[each] for each in subject(one)["members"]} == set(subject(two)["members"])
    assert subject(one)["partitions"] == subject(two)["partitions"]
    assert one.headline.lag == two.headline.lag


@cases
@QUICK
@given(data=st.data())
def test_other_numbers_of_partitions_change_the_numbers_alone(cause, data):
    group = data.draw(groups(cause))
    number = data.draw(st.permutations(range(12)))

    def renumbered(row: Row) -> Row:
        return row._replace(partition=number[row.partition]) if row.topic == "t" else row

    one, two = diagnosis(group), diagnosis(changed(group, renumbered))

    assert one.code == two.code == cause
    assert set(subject(one)["members"]) == set(subject(two)["members"])
    new = {f"t-{old}": f"t-{number[old]}" for old in range(12)}
    expected = {new.get(each, each) for each in subject(one)["partitions"]}
    assert expected == set(subject(two)["partitions"])
    assert one.headline.lag == two.headline.lag


@pytest.mark.parametrize("cause", [cause for cause in CAUSES if cause != "fine"])
@QUICK
@given(data=st.data())
def test_ten_times_the_records_are_the_same_cause(cause, data):
    group = data.draw(groups(cause))

    def tenfold(row: Row) -> Row:
        committed = None if row.committed is None else 10 * row.committed
        return row._replace(committed=committed, end=10 * row.end)

    one, two = diagnosis(group), diagnosis(changed(group, tenfold))

    assert one.code == two.code == cause
    assert subject(one) == subject(two)
    assert two.case.total == 10 * one.case.total


@cases
@QUICK
@given(data=st.data())
def test_a_healthy_topic_is_no_other_cause(cause, data):
    group = data.draw(groups(cause))
    owners = [None] if cause == "down" else range(4)
    # Who stands still in the other topic would move on in this one.
    owners = [each for each in owners if cause not in ("stalled", "slow_member") or each]
    more = [
        [
            *rows,
            *(
                Row(
                    "healthy",
                    number,
                    700 + 5 * place,
                    700 + 5 * place + 3 * (owner is not None),
                    owner,
                )
                for number, owner in enumerate(owners)
            ),
        ]
        for place, rows in enumerate(group)
    ]
    one, two = diagnosis(group), diagnosis(more)

    assert one.code == two.code == cause
    assert subject(one)["members"] == subject(two)["members"]
    assert subject(one)["partitions"] == subject(two)["partitions"]
