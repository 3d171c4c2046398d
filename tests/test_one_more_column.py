"""One more column is one place: what people and programs see of a table is drawn from it."""

import json

import pytest

from tests.generated.small_documents import document

REBALANCES = """
import json
from evenkeel.data.rebalances import frozen
from evenkeel.data.rebalances.event import Rebalance
from evenkeel.data.rebalances.store import About, StoredRebalances
from evenkeel.data.rebalances.table import events_of, table_of

event = Rebalance("pay", "classic", 4, member_epoch=7)
shared = frozen.frozen(StoredRebalances([event], About(())), "pay", {})
print(json.dumps({
    "json": event.document()["member_epoch"],
    "table": table_of([event])["member_epoch"].to_pylist(),
    "back": events_of(table_of([event]))[0].member_epoch,
    "shared": frozen.thawed(*shared).events[0].member_epoch,
}))
"""
TOPICS = """
    Column(
        "topics",
        "topics",
        value=lambda ready: len(ready.observed.snapshot.topic_name),
        kind="int64",
        title="Topics",
    ),
"""
READINESS = """
import json
import sys

import evenkeel
from evenkeel.dashboard.parts.table_files import csv_file
from evenkeel.dashboard.readiness import table
from evenkeel.data.group.tables.frames import table_of
from evenkeel.data.readiness.columns import COLUMNS

groups = [evenkeel.read(sys.stdin.read()).group().readiness()._ready]
drawn = {}
table.table.show = lambda label, look, data, **_: drawn.update(data)
table.show([{"verdict": "note", "rows": groups, "more": None}], None, "", print)
print(json.dumps({
    "csv": csv_file(table_of(COLUMNS, groups)).decode().splitlines()[0].split(",")[-1],
    "table": table_of(COLUMNS, groups)["topics"].to_pylist(),
    "page": [drawn["columns"][-1]["label"], drawn["rows"][0]["cells"][-1]["text"]],
}))
"""
MOVES = """
import json
import numpy as np
from evenkeel.dashboard.parts import move_tables
from tests.assignors.groups import assignment, group
from tests.dashboard.moves.changes import shown

snapshot = group({"t": 2}, A="t", B="t")
owners = [assignment(snapshot, **{name: "t-0 t-1"}) for name in "AB"]
view, change = shown(snapshot, *owners)
rows = np.arange(2)
print(json.dumps({
    "page": move_tables.by_partition(view, change, rows)["Number"].tolist(),
    "csv": move_tables.partitions_csv(view, change, rows).splitlines()[0].split(",")[-2],
}))
"""


@pytest.fixture(scope="module")
def tree(copied_tree):
    with copied_tree.adding(
        {},
        {
            "data/rebalances/event.py": (
                ("    zone_assumed: bool = False\n", "    member_epoch: int | None = None\n"),
                ('    "zone_assumed",\n', '    "member_epoch",\n'),
            ),
            "data/group/tables/history_schemas.py": (
                ('        ("zone_assumed", "bool"),\n', '        ("member_epoch", "int64"),\n'),
            ),
            "dashboard/parts/move_tables.py": (
                ('    "lag": "Lag, records",\n', '    "number": "Number",\n'),
                ('        "lag": lag,\n', '        "number": change.pairs.partition[rows],\n'),
            ),
            "data/readiness/columns.py": (
                ('    Column("order", text=_order, title="Order"),\n', TOPICS.lstrip("\n")),
            ),
        },
    ) as tree:
        yield tree


@pytest.fixture(scope="module")
def group():
    return json.dumps(
        document({"a": 1, "b": 1, "c": 1}, A="a b", B="c") | {"group_id": "pay", "type": "classic"}
    )


def test_a_column_of_rebalances_is_in_json_table_share_and_all_ways_back(tree):
    done = tree.run("-c", REBALANCES)

    assert json.loads(done.stdout) == {"json": 7, "table": [7], "back": 7, "shared": 7}


def test_a_column_of_moves_is_on_the_page_and_in_the_csv(tree):
    done = tree.run("-c", MOVES)

    assert json.loads(done.stdout) == {"page": [0, 1], "csv": "number"}


def test_a_column_of_readiness_is_on_the_page_and_in_its_csv(tree, group):
    done = tree.run("-c", READINESS, text=group)

    assert json.loads(done.stdout) == {
        "csv": '"topics"',
        "table": [3],
        "page": ["Topics", "3"],
    }


def test_a_column_of_readiness_is_in_the_command_and_its_json(tree, group):
    text = tree.run("-m", "evenkeel", "readiness", "-", text=group)
    line = tree.run("-m", "evenkeel", "readiness", "-", "--json", text=group)

    head, row, *_ = text.stdout.splitlines()
    assert (head.split()[5], row.split()[5]) == ("topics", "3")
    assert json.loads(line.stdout.splitlines()[0])["topics"] == 3
