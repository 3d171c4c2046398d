"""One more column is one place: what people and programs see of a table is drawn from it."""

import json

import pytest

REBALANCE = """
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


@pytest.fixture(scope="module")
def tree(copied_tree):
    with copied_tree.adding(
        {},
        {
            "data/rebalances/event.py": (
                ("    zone_assumed: bool = False\n", "    member_epoch: int | None = None\n"),
                ('    "zone_assumed",\n', '    "member_epoch",\n'),
            ),
            "data/group/tables/schemas.py": (
                (
                    '        ("zone_assumed", "bool"),\n',
                    '        ("member_epoch", "int64"),\n',
                ),
            ),
        },
    ) as tree:
        yield tree


def test_a_column_of_rebalances_is_in_json_table_share_and_all_ways_back(tree):
    done = tree.run("-c", REBALANCE)

    assert json.loads(done.stdout) == {"json": 7, "table": [7], "back": 7, "shared": 7}
