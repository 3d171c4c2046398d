"""One more paste format is its file and its entry in the list of sources: commands, the library and
Spark's data sources take it from there.
"""

import json

import pytest

EXPORTER = '''
"""What kafka_exporter answers: a line for the lag of each partition of a group."""

import re

from evenkeel.data.group.tables.parsed import ParsedTables
from evenkeel.data.sources.console.exact.offsets import OffsetRow
from evenkeel.data.sources.console.listing import PrintedRows
from evenkeel.data.sources.source import START, Context, OtherLines

NAME = "evenkeel-exporter"

_FORMAT = "metrics of kafka_exporter"
_LAG = re.compile(
    rb'kafka_consumergroup_lag\\{consumergroup="(.+)",partition="(\\d+)",topic="(.+)"\\} (\\d+)'
)


def recognises(head: bytes, file: str) -> bool:
    """Tell whether a line is a lag."""
    return any(map(_LAG.fullmatch, head.split(b"\\n")))


def parse(data: bytes, file: str, context: Context = START) -> ParsedTables:
    """Make a row of each lag."""
    rows = PrintedRows(other=OtherLines(formats={_FORMAT: None}))
    for number, line in enumerate(data.removesuffix(b"\\n").split(b"\\n"), context.first_line):
        if not (cells := _LAG.fullmatch(line)):
            rows.other.reject(number, line, _FORMAT, "expected a lag")
            continue
        group, partition, topic, lag = (cell.decode() for cell in cells.groups())
        row = OffsetRow(group, topic, int(partition), *(None,) * 2, int(lag), *(None,) * 4)
        rows.add(number, row, _FORMAT)
    return rows.parsed(file, context)
'''
METRICS = """\
kafka_consumergroup_lag{consumergroup="payments",partition="0",topic="orders"} 100000
kafka_consumergroup_lag{consumergroup="payments",partition="1",topic="orders"} 60000
up 1
"""
LIBRARY = """
import sys, evenkeel
read = evenkeel.read(sys.stdin.read())
print(read.group().diagnosis.group, [row["reason"] for row in read.rejected])
"""
SPARK = """
from evenkeel.data.pipeline.data_sources import register

class Session:
    class dataSource:
        register = lambda source: print(source.name())

register(Session)
"""


@pytest.fixture(scope="module")
def tree(copied_tree):
    with copied_tree.adding(
        {"data/sources/exporter.py": EXPORTER},
        {
            "data/sources/detection.py": (
                ("from evenkeel.data.sources import (", " exporter,"),
                ("SOURCES: tuple[Source, ...] = (", "exporter, "),
            )
        },
    ) as tree:
        yield tree


def test_a_format_is_one_new_file_and_one_file_with_its_entry(tree):
    assert tree.added == {"data/sources/exporter.py"}
    assert set(tree.more_lines) == {"data/sources/detection.py"}


def test_the_command_line_makes_a_document_of_it(tree):
    done = tree.run("-m", "evenkeel", "snapshot", "-", text=METRICS)

    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert (document["group_id"], document["topics"]) == (
        "payments",
        [{"name": "orders", "partitions": [{"lag": 100_000}, {"lag": 60_000}]}],
    )
    assert done.stderr == (
        "evenkeel: 1 of 3 lines rejected, the first: standard input line 3: expected a lag\n"
    )


def test_the_library_reads_it_and_rejects_what_it_rejects(tree):
    done = tree.run("-c", LIBRARY, text=METRICS)

    assert done.stdout == "payments ['expected a lag']\n", done.stderr


def test_spark_has_a_data_source_of_its_name(tree):
    done = tree.run("-c", SPARK)

    assert "evenkeel-exporter" in done.stdout.split(), done.stderr
