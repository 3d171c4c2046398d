"""Lags read on a thread of the assignor's: what is believed of an answer, and that the
thread ends.
"""

import gc
import threading

import pytest
from evenkeel_assignors.kafka_lags import lags_of
from evenkeel_assignors.reading import OwnReads, Reader, UnreadError

_PARTITIONS = {"t": [0, 1, 2, 3, 4, 5, 6, 7]}
_NAME = "evenkeel-assignors-lags"


def test_a_lag_is_end_minus_commit_never_below_0():
    assert lags_of({("t", 0): 4, ("t", 1): 12}, {}, {("t", 0): 10, ("t", 1): 10}, "latest") == {
        ("t", 0): 6,
        ("t", 1): 0,
    }


@pytest.mark.parametrize(
    ("reset", "lag"), [("latest", 0), ("LATEST", 0), ("earliest", 3), ("none", 3)]
)
def test_without_a_commit_the_reset_decides(reset, lag):
    assert lags_of({("t", 0): -1}, {("t", 0): 7}, {("t", 0): 10}, reset) == {("t", 0): lag}


def test_what_no_answer_tells_is_unknown():
    assert lags_of({("t", 0): -1, ("t", 2): 3}, {}, {("t", 0): 10, ("t", 1): 10}, "earliest") == {}


def test_only_whole_numbers_of_partitions_that_were_asked_for_are_lags():
    found = {
        ("t", number): lag
        for number, lag in enumerate([7, 3.0, -1, True, "9", float("nan"), float("inf"), None])
    }

    assert Reader(OwnReads(lambda _: found | {("other", 0): 5}), 60.0).read(_PARTITIONS) == {
        ("t", 0): 7,
        ("t", 1): 3,
    }


@pytest.mark.parametrize(
    "error",
    [RuntimeError("broken"), TimeoutError("broken"), SystemExit("broken"), KeyError("broken")],
)
def test_whatever_a_source_raises_is_the_reason(error):
    def read(_):
        raise error

    with pytest.raises(UnreadError, match=f"{type(error).__name__}: .?broken"):
        Reader(OwnReads(read), 60.0).read(_PARTITIONS)


def test_a_source_that_failed_is_dropped_and_asked_anew():
    class Source:
        closed = 0

        def open(self):
            raise OSError("no broker")

        def read(self, _):
            if not self.closed:
                raise OSError("connection lost")
            return {("t", 0): 1}

        def close(self):
            self.closed += 1

    source = Source()
    reader = Reader(source, 60.0)
    reader.open()

    assert reader.read({"t": [0]}) == {("t", 0): 1}
    assert source.closed == 1


def test_the_thread_ends_with_its_reader():
    reader = Reader(OwnReads(lambda _: {}), 60.0)
    reader.read(_PARTITIONS)
    (thread,) = [
        one
        for one in threading.enumerate()
        if one.name == _NAME and one.is_alive() and one is reader._thread
    ]

    del reader
    gc.collect()

    thread.join(60)
    assert not thread.is_alive()


def test_time_that_is_spent_already_counts():
    reader, may_end = Reader(OwnReads(lambda _: may_end.wait()), 3600.0), threading.Event()
    try:
        with pytest.raises(UnreadError, match="not read after 3600 s"):
            reader.read(_PARTITIONS, spent=3600.0)
        with pytest.raises(UnreadError, match="the previous read has not ended"):
            reader.read(_PARTITIONS)
    finally:
        may_end.set()
