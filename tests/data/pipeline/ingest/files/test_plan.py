"""What is known of files before they are parsed."""

import hashlib
import io
from pathlib import Path

import pytest

from evenkeel.data.lake.place import place_of
from evenkeel.data.pipeline.ingest.inputs import Input
from evenkeel.data.pipeline.ingest.parts import planned
from evenkeel.data.sources.source import START

HEADER = b"GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
ROW = b"payments orders 0 10 110 100 - - -\n"


@pytest.fixture
def opened(monkeypatch):
    """The paths that are opened, in order."""
    paths, open_one = [], io.open
    monkeypatch.setattr(
        io,
        "open",
        lambda path, *rest, **options: paths.append(Path(path)) or open_one(path, *rest, **options),
    )
    return paths


TEXTS = {
    "listing": HEADER + ROW,
    "table in UTF-16": "topic,partition,lag\nt,0,1\n".encode("utf-16"),
    "picture": b"\x89PNG",
    "long listing": HEADER + ROW * 300_000,
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_file_is_opened_once_to_be_planned_and_once_to_be_read(tmp_path, opened, text):
    path = tmp_path / "pasted"
    path.write_bytes(text)
    opened.clear()

    plan = planned([Input("pasted", place_of(tmp_path), "pasted")], START, {})
    parts = [part for task in plan.tasks for part in task]

    assert opened == [path]
    assert (plan.sources[0].sha256, plan.sources[0].size) == (
        hashlib.sha256(text).hexdigest(),
        len(text),
    )
    assert [part.range.stop for part in parts] == ([] if plan.sources[0].refused else [len(text)])
    for part in parts:
        part.text(part.read())
    assert opened == [path] * (1 + len(parts))
