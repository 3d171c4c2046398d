"""What is said where brokers refuse or do not answer: a right is named only where one is missing,
and who has left only where it has.
"""

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document import Member
from evenkeel.data.live import nudge
from evenkeel.data.live.reading.described import GroupDescription
from evenkeel.data.live.reading.documents import _live, _offsets
from evenkeel.data.live.reading.offsets import Ends, GroupOffsets
from evenkeel.data.live.reading.readiness import _unread
from evenkeel.data.live.wire.raw_groups import GroupListing

_TIMED_OUT, _CLUSTER_AUTHORIZATION_FAILED = 7, 31


@pytest.mark.parametrize(
    ("codes", "silent", "said"),
    [
        ([], 0, None),
        ([_TIMED_OUT], 0, "REQUEST_TIMED_OUT"),
        ([], 2, "no answer"),
        (
            [_CLUSTER_AUTHORIZATION_FAILED] * 2,
            0,
            "CLUSTER_AUTHORIZATION_FAILED: DESCRIBE_CONFIGS is missing",
        ),
        (
            [_CLUSTER_AUTHORIZATION_FAILED, _TIMED_OUT],
            1,
            (
                "CLUSTER_AUTHORIZATION_FAILED, REQUEST_TIMED_OUT, no answer: DESCRIBE_CONFIGS is"
                " missing"
            ),
        ),
    ],
)
def test_the_right_is_named_only_where_brokers_say_that_it_is_missing(codes, silent, said):
    assert _unread("c", codes, silent) == (
        said and f"cluster c: settings of the brokers cannot be read, {said}"
    )


def test_the_first_problem_of_offsets_is_not_a_problem_of_a_member():
    about = GroupDescription(
        "consumer", "Stable", members=[Member("m", ["orders"])], problems=["m: cut metadata"]
    )
    hidden = {"orders": "TOPIC_AUTHORIZATION_FAILED"}
    offsets = _offsets({}, hidden, Ends({}, {}, {}))

    read = _live("payments", about, GroupOffsets({}, {}), offsets, datetime.now(UTC))

    assert read.no_offsets == "orders: TOPIC_AUTHORIZATION_FAILED"
    assert read.problems == ["m: cut metadata", "orders: TOPIC_AUTHORIZATION_FAILED"]


class _Asked(SimpleNamespace):
    """A cluster whose coordinator shows the members in `shown`, and those that join where it
    `joins`, for ever.
    """

    profile = SimpleNamespace(name="c", librdkafka=dict)

    def ask(self, question):
        return question()

    def describe(self, _, listed):
        return {
            "g": GroupDescription(
                "consumer", "Stable", members=[Member(one, [], client_id=one) for one in self.shown]
            )
        }

    def consumer(self, settings):
        if self.joins:
            self.shown.append(settings["client.id"])
        return SimpleNamespace(
            subscribe=lambda topics: None, poll=lambda seconds: None, close=lambda: None
        )


@pytest.mark.parametrize(
    ("joins", "said"),
    [
        (False, "no new epoch in 0 s; the nudge has left the group"),
        (
            True,
            ("no new epoch in 0 s; the nudge's member left, but the coordinator still lists it"),
        ),
    ],
)
def test_a_nudge_says_that_it_has_left_only_where_that_is_so(monkeypatch, joins, said):
    cluster = _Asked(shown=["a"], joins=joins)
    for name, found in (
        ("describe", cluster.describe),
        ("Consumer", cluster.consumer),
        ("_LIMIT_SECONDS", 0.0),
        ("_POLL_SECONDS", 0.0),
    ):
        monkeypatch.setattr(nudge, name, found)
    monkeypatch.setattr(
        nudge,
        "chosen_groups",
        lambda connection, ids: [GroupListing("g", "consumer", "Stable", "consumer")],
    )

    with pytest.raises(SnapshotError) as caught:
        nudge.nudge(cluster, "g")

    assert str(caught.value) == f"cluster c, group g: {said}"
