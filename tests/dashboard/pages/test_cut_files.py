"""Files of the lake that end in the middle: a page that needs one says in a sentence which, and
everything else works.
"""

import pytest

from evenkeel.dashboard.shell.cache import ALL
from evenkeel.data.lake.place import place_of
from tests.dashboard.pasted import HEADER, PAYMENTS, REFUNDS
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, plan_with_trouble

NEEDED = "the file is cut off or damaged, expected a Parquet file"
CUT = {
    "OFFSETS": "compare moves whatif",
    "GROUP_LOAD": "compare",
    "NOTES": "compare",
    "REJECTED": "compare",
}
"""The pages that need the rows of a table."""


def cut(lake, table):
    """Cut every file of a table by half; return their names."""
    files = sorted((lake / table).rglob("*.parquet"))
    for file in files:
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    return list(map(str, files))


def said(page):
    assert not page.app.exception
    assert "Traceback" not in page.html
    return page.errors + page.warnings


@pytest.fixture
def cold():
    """Forget what was read before."""
    ALL.clear()
    yield ALL.clear
    ALL.clear()


@pytest.mark.parametrize("table", CUT)
def test_a_cold_page_names_the_cut_file_in_one_sentence_and_other_batches_open(
    page, ingested, lake, cold, table
):
    one = ingested(HEADER + PAYMENTS + "payments orders x 10 20 10 - - -\n")
    files = cut(lake, table)
    cold()

    lines = {name: said(page.anew().open(name, opened=one.batch)) for name in CUT[table].split()}
    other = ingested(HEADER + REFUNDS)
    seen = page.anew().open("compare", opened=other.batch)

    assert [len(line) for line in lines.values()] == [1] * len(lines)
    assert all(
        line.startswith(f"{files[0]}: {NEEDED} of batch {one.batch}; ingest its files again")
        for (line,) in lines.values()
    )
    assert (said(seen), seen.scope) == ([], "refunds")


def test_a_collected_lake_whose_day_is_cut_is_one_sentence_on_its_page_and_the_other_pages_work(
    page, lake, cold
):
    write_lake(place_of(lake), plan_with_trouble(groups=2, partitions=4, members=2, days=0.02))
    files = cut(lake, "OFFSETS")

    lines = said(page.open("timeline", cluster=CLUSTER, group="group-0000"))
    seen = page.anew().open("compare", sample="lag-aware")

    assert [line.split(": ")[0] for line in lines] == files
    assert NEEDED in lines[0]
    assert said(seen) == []
    assert seen.table
