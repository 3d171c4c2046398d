"""Quantities as people write them."""

import argparse
from datetime import timedelta

import pytest

from evenkeel.data.configuration.conversion import ByteCount, Duration
from evenkeel.data.pipeline.collect_command import add_arguments


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("30s", 30),
        ("5 m", 300),
        ("1.5m", 90),
        ("2h", 7_200),
        ("0.5s", 0.5),
        ("0s", 0),
        ("999999d", 86_399_913_600),
    ],
)
def test_a_duration_is_a_number_and_a_unit(text, seconds):
    assert Duration.parse(text) == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "24",
        "h",
        "-1h",
        "1e3s",
        ".5s",
        "1 day",
        "1h30m",
        "1000000s",
        "9999999999999d",
        "\u0661s",
    ],
)
def test_any_other_text_is_no_duration(text):
    with pytest.raises(
        ValueError, match='is not a duration, expected a number and s, m, h or d, such as "24h"'
    ):
        Duration.parse(text)


@pytest.mark.parametrize(
    ("text", "count"), [("512 MB", 512_000_000), ("2GB", 2_000_000_000), ("0 MB", 0)]
)
def test_a_number_of_bytes_has_a_decimal_unit(text, count):
    assert ByteCount.parse(text) == count


@pytest.mark.parametrize("text", ["", "7", "1 KB", "1.5 GB", "-1 MB", "1 MiB"])
def test_any_other_text_is_no_number_of_bytes(text):
    with pytest.raises(
        ValueError,
        match='is not a number of bytes, expected a number and MB or GB, such as "512 MB"',
    ):
        ByteCount.parse(text)


@pytest.fixture
def parser():
    parser = argparse.ArgumentParser(exit_on_error=False)
    add_arguments(parser)
    return parser


@pytest.mark.parametrize(
    ("text", "seconds"), [("30s", 30), ("0.5m", 30), ("1h", 3_600), ("1d", 86_400)]
)
def test_a_collector_has_slots_of_whole_seconds(parser, text, seconds):
    assert parser.parse_args(["--cluster", "local", "--every", text]).every == seconds


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("0s", "expected whole seconds, at least 1s"),
        ("1.5s", "expected whole seconds"),
        ("30", "is not a duration"),
    ],
)
def test_other_slots_are_refused(parser, text, complaint):
    with pytest.raises(argparse.ArgumentError, match=complaint):
        parser.parse_args(["--cluster", "local", "--every", text])
