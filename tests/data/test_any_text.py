"""Whatever reads a text that strangers write returns a value or refuses the text; it never fails in
another way.
"""

import argparse
import contextlib
import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evenkeel.data.commands.options.fail_if import Condition
from evenkeel.data.commands.options.lake import iso_time
from evenkeel.data.configuration.clusters import free_form_name, free_form_profile
from evenkeel.data.configuration.conversion import ByteCount, Duration, Percentage
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document import decode, decode_application
from evenkeel.data.pipeline.ingest_command import _instant
from evenkeel.data.sources import numbers
from evenkeel.data.sources.console.times import time_of
from evenkeel.data.sources.numbers import Unreadable
from evenkeel.data.sources.separated import values

_REFUSALS = (SnapshotError, Unreadable, argparse.ArgumentTypeError)
_DIGITS = st.text("0123456789²٣-+.,e: TZ/", max_size=24)
_TEXTS = (
    st.text(max_size=30)
    | _DIGITS
    | st.from_regex(
        r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}[+-][0-9]{2}:[0-9]{2}", fullmatch=True
    )
)

_READERS = {
    "instant of ingest": _instant,
    "time of an option": iso_time,
    "condition": Condition.parse,
    "address": lambda text: free_form_name(text, False),
    "cluster": free_form_profile,
    "number": lambda text: numbers.whole(text, "LAG", -1, 2**63 - 1),
    "offset": lambda text: numbers.offset(text, "LAG"),
    "partition": numbers.partition_number,
    "column of numbers": lambda text: values.style_of([text, "1,000"]),
    "time of a cell": lambda text: values.time(text, "time"),
    "line of a time": lambda text: time_of(text.encode(errors="surrogatepass")),
    "task": lambda text: decode_application(
        json.dumps({"format": "evenkeel.streams/1", "tasks": [{"task_id": text, "stateful": True}]})
    ),
    "topic": lambda text: decode(
        json.dumps(
            {
                "format": "evenkeel.group/1",
                "topics": [{"name": text, "topic_id": text, "partitions": 1}],
            }
        )
    ),
}
_QUANTITIES = (Duration, ByteCount, Percentage)


def _nasty(test):
    for text in (
        "²",
        "٣",
        "9" * 5_000,
        "a" + "9" * 5_000,
        f"{'9' * 5_000}_0",
        "-1",
        "1e9",
        "1e999999999",
        "nan",
        "\u202e",
        "\ud800",
        "\0",
        "",
        "0001-01-01T00:00+23:00",
        "9999-12-31T23:59-23:00",
        "max_lag > ²",
        f"max_lag > {'9' * 5_000}",
        f"host:{'9' * 5_000}",
    ):
        test = example(text)(test)
    return test


@pytest.mark.parametrize("reader", _READERS)
def test_a_reader_returns_a_value_or_refuses(reader):
    @_nasty
    @given(_TEXTS)
    def read(text):
        with contextlib.suppress(_REFUSALS):
            _READERS[reader](text)

    read()


@pytest.mark.parametrize("quantity", _QUANTITIES)
def test_a_quantity_is_read_or_refused_as_a_wrong_value(quantity):
    @_nasty
    @given(_TEXTS)
    def read(text):
        try:
            quantity.parse(text)
        except ValueError as error:
            assert "expected" in str(error)

    read()
