"""Ages of records: which are asked for, in which order, and which are believed."""

import time
from types import SimpleNamespace

import pytest

from evenkeel.data.errors import UnansweredError
from evenkeel.data.live.reading import offsets as module
from evenkeel.data.live.reading.offsets import Ends, GroupOffsets, ages
from evenkeel.data.live.reading.topics import LiveTopic
from evenkeel.data.live.wire.raw_records import Times

_SEEN = {name: LiveTopic("", [[], []], [1, 2]) for name in ("t", "u")}
_ENDS = Ends(
    {("t", 0): 0, ("t", 1): 50, ("u", 0): 0}, {("t", 0): 100, ("t", 1): 100, ("u", 0): 100}, {}
)


class _Records:
    """Answers with given ages by record, and keeps what was asked."""

    def __init__(self, seconds=None, refused=None):
        self._seconds, self._refused, self.asked = seconds or {}, refused or {}, None

    def times(self, leaders, reads_committed, seconds):
        self.asked = leaders
        now = time.time()
        return Times(
            {record: round((now - age) * 1000) for record, age in self._seconds.items()},
            self._refused,
        )


def _ages(records, reads_records=True, **commits):
    profile = SimpleNamespace(reads_records=reads_records, reads_committed=False)
    connection = SimpleNamespace(profile=profile, records=records, ask=lambda question: question())
    return ages(
        connection,
        {name: GroupOffsets(offsets, {}) for name, offsets in commits.items()},
        _ENDS,
        _SEEN,
        1.0,
    )


def test_every_groups_partition_with_the_most_lag_comes_first_and_deleted_records_are_passed_over():
    records = _Records()

    _ages(
        records,
        a={("t", 0): 90, ("t", 1): 20},
        b={("t", 0): 40, ("u", 0): 100},
        c={("t", 1): None, ("x", 0): 5},
    )

    assert list(records.asked.items()) == [
        ((("t", 0), 40), 1),
        ((("t", 1), 50), 2),
        ((("t", 0), 90), 1),
    ]


def test_at_most_so_many_records_are_asked_for(monkeypatch):
    records = _Records()
    monkeypatch.setattr(module, "MOST_RECORDS", 1)

    _ages(records, a={("t", 0): 90}, b={("u", 0): 0})

    assert list(records.asked) == [(("u", 0), 0)]


@pytest.mark.parametrize(("age", "told"), [(41.5, 41.5), (-9.0, 0.0), (-11.0, None)])
def test_a_clock_that_is_a_little_ahead_gives_0_and_one_that_is_far_ahead_gives_nothing(age, told):
    found = _ages(_Records({(("t", 0), 90): age}), a={("t", 0): 90})

    assert found.seconds["a"] == ({} if told is None else {("t", 0): pytest.approx(told, abs=0.5)})


def test_topics_without_the_right_read_are_named_in_the_groups_that_lag_there():
    found = _ages(
        _Records({(("u", 0), 5): 3.0}, {"t": 29}), a={("t", 0): 90, ("u", 0): 5}, b={("u", 0): 5}
    )

    assert found.seconds["b"].keys() == found.seconds["a"].keys() == {("u", 0)}
    assert found.unread == {
        "a": (
            "records of t: TOPIC_AUTHORIZATION_FAILED: the right READ on the topic is missing; time"
            " lags are estimated from offsets"
        )
    }


def test_where_the_cluster_does_not_answer_offsets_are_known_all_the_same():
    class Silent:
        def times(self, *_):
            raise UnansweredError("cluster local: no broker answers")

    found = _ages(Silent(), a={("t", 0): 90}, b={("t", 0): 100})

    assert (found.seconds, found.unread) == (
        {},
        {"a": "no record can be read: cluster local: no broker answers"},
    )


def test_nothing_is_asked_for_unless_the_profile_says_so_or_where_nothing_is_behind():
    silent, idle = _Records(), _Records()

    _ages(silent, reads_records=False, a={("t", 0): 90})
    _ages(idle, a={("t", 0): 100})

    assert silent.asked is None
    assert idle.asked is None
