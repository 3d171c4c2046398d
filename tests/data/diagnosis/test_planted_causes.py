"""Random groups with a planted cause: it is found, and stays the cause if members have other names,
partitions other numbers, all lags are ten times as large, or one more topic is read well.
"""

from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.data.diagnosis.listed import answer, subject

HEAD = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"


class Row(NamedTuple):
    topic: str
    partition: int
    lag: int
    owner: str

    @property
    def line(self) -> str:
        host, client = f"/10.0.0.{len(self.owner)}", self.owner.removesuffix("-5b5e")
        who = "- - -" if self.owner == "-" else f"{self.owner} {host} {client}"
        return f"g {self.topic} {self.partition} 1000000 {1_000_000 + self.lag} {self.lag} {who}\n"


class Planted(NamedTuple):
    """A group, its cause, and the members and partitions that are the subject."""

    code: str
    rows: list[Row]
    members: set[str]
    partitions: set[tuple[str, int]]


@st.composite
def groups(draw, code):
    members = [f"m{number}-5b5e" for number in range(draw(st.integers(3, 6)))]
    each = draw(st.integers(2, 4))
    noise = st.integers(0, 9)
    rows = [
        Row("t", number, draw(noise), members[number % len(members)])
        for number in range(each * len(members))
    ]
    chosen = draw(st.integers(0, len(members) - 1))
    if code == "silent_member":
        rows = [
            row._replace(lag=draw(st.integers(20_000, 30_000)))
            if row.owner == members[chosen]
            else row
            for row in rows
        ]
        is_subject = [row.owner == members[chosen] for row in rows]
    elif code == "one_partition":
        rows[chosen] = rows[chosen]._replace(lag=draw(st.integers(100_000, 900_000)))
        is_subject = [number == chosen for number in range(len(rows))]
    elif code == "unread":
        rows[chosen] = rows[chosen]._replace(lag=draw(st.integers(10_000, 90_000)), owner="-")
        is_subject = [number == chosen for number in range(len(rows))]
    elif code == "down":
        rows = [row._replace(lag=draw(st.integers(1, 90_000)), owner="-") for row in rows]
        is_subject = [True] * len(rows)
    else:
        is_subject = [False] * len(rows)
    named = [row for row, its in zip(rows, is_subject, strict=True) if its]
    owners = {row.owner for row in named} - {"-"} if code != "down" else set()
    return Planted(code, rows, owners, {(row.topic, row.partition) for row in named})


def found(rows) -> tuple[str, set[str], set[str]]:
    one = answer(HEAD + "".join(row.line for row in rows))
    named = subject(one)
    return one.code.value, set(named["members"]), set(named["partitions"])


def expected(planted, member=lambda name: name, partition=lambda number: number):
    names = {f"{topic}-{partition(number)}" for topic, number in planted.partitions}
    return planted.code, {member(name) for name in planted.members}, names


@pytest.mark.parametrize("code", ["silent_member", "one_partition", "unread", "down", "fine"])
def test_a_planted_cause_is_found_and_stays_in_what_does_not_matter(code):
    @settings(deadline=None, max_examples=12)
    @given(groups(code), st.randoms())
    def holds(planted, random):
        rows = planted.rows
        order = list(range(len(rows)))
        random.shuffle(order)
        shuffled = random.sample(rows, len(rows))
        owners = sorted({row.owner for row in rows} - {"-"})
        healthy = [Row("a", number, 3, owner) for number, owner in enumerate(owners)]

        assert found(rows) == expected(planted)
        renamed = [row._replace(owner=renaming(row.owner)) for row in rows]
        assert found(renamed) == expected(planted, member=renaming)
        numbered = [row._replace(partition=order[row.partition]) for row in shuffled]
        assert found(numbered) == expected(planted, partition=order.__getitem__)
        assert found([row._replace(lag=10 * row.lag) for row in rows]) == expected(planted)
        if owners:
            assert found([*rows, *healthy]) == expected(planted)

    holds()


def renaming(owner: str) -> str:
    return owner if owner == "-" else f"zz{owner[::-1]}"
