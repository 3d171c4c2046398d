"""Diagnoses of texts, as the command reads them."""

import dataclasses
import gzip
from datetime import UTC, datetime, timedelta
from pathlib import Path

from evenkeel.data.commands.options.files import read_groups
from evenkeel.data.diagnosis.answer import Answer, diagnosed, subject_of
from evenkeel.data.diagnosis.many import readings_of_all
from evenkeel.data.diagnosis.reading import Readings, between, readings_of

LISTINGS = Path(__file__).parent / "listings"


def listing(name: str) -> str:
    """Return the text of a listing."""
    file = LISTINGS / f"{name}.txt"
    return (
        file.read_text()
        if file.exists()
        else gzip.decompress((LISTINGS / f"{name}.txt.gz").read_bytes()).decode()
    )


def answers(text: str, file: str = "a.txt") -> list[Answer]:
    """Return the diagnosis of each group of a text."""
    groups = read_groups([(file, text.encode())])
    return [diagnosed(one) for one in readings_of_all(groups.parsed, groups.keys)]


def answer(text: str, file: str = "a.txt") -> Answer:
    """Return the diagnosis of the only group of a text."""
    (only,) = answers(text, file)
    return only


def readings(text: str, file: str = "a.txt") -> Readings:
    """Return the readings of the only group of a text."""
    groups = read_groups([(file, text.encode())])
    return readings_of(groups.parsed, groups.keys[0])


def later(first: str, second: str, seconds: int) -> Answer:
    """Return the diagnosis of two listings of one group, so many seconds apart."""
    at = datetime(2026, 11, 27, 9, tzinfo=UTC)
    before = dataclasses.replace(readings(first).now, taken_at=at)
    now = readings(second)
    now = now._replace(now=dataclasses.replace(now.now, taken_at=at + timedelta(seconds=seconds)))
    return diagnosed(between(before, now))


def codes(one: Answer) -> list[str]:
    """Return the codes of all findings, the headline first."""
    return [finding.code.value for finding in one.diagnosis.findings]


def subject(one: Answer) -> dict[str, list[str]]:
    """Return the subject of the headline."""
    return subject_of(one.headline, one.observed)
