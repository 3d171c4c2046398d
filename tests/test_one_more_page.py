"""One more page is its feature's room on each floor and one line in the list of pages: the menu,
its address, the open group and the rules of the floors take it from there.
"""

import json

import pytest

from tests.test_floors import PLANTED, shown_to_nobody

ROOMS = {
    "data/topics/__init__.py": '''
"""Topics: which of a group's topics has the lag."""
''',
    "data/topics/answer.py": '''
"""The lag of each topic."""

import numpy as np

from evenkeel.assignors.group import GroupSnapshot


def lag_by_topic(group: GroupSnapshot, lag: np.ndarray) -> list[tuple[str, int]]:
    """Return topics and records, most first."""
    sums = np.zeros(len(group.topic_name), dtype=np.int64)
    np.add.at(sums, group.tp_topic, np.maximum(lag, 0))
    return [(group.topic_name[row], int(sums[row])) for row in np.argsort(-sums, kind="stable")]
''',
    "data/topics/words.py": '''
"""Its sentence."""

from evenkeel.data.text.formats import counted


def sentence(topic: str, lag: int) -> str:
    """Return who is worst."""
    return f"{topic} waits for {counted(lag, 'record')}."
''',
    "dashboard/topics/__init__.py": '''
"""The page Topics."""
''',
    "dashboard/topics/figures.py": '''
"""Bars of topics."""

import plotly.graph_objects as go


def bars(rows: list[tuple[str, int]]) -> go.Figure:
    """Return a bar for each topic."""
    names, lags = zip(*rows, strict=True)
    return go.Figure(go.Bar(x=lags, y=names, orientation="h"))
''',
    "dashboard/topics/page.py": '''
"""Which topic has the lag."""

import streamlit as st

from evenkeel.dashboard.scope import open_group
from evenkeel.dashboard.parts import plot
from evenkeel.dashboard.topics.figures import bars
from evenkeel.data.topics.answer import lag_by_topic
from evenkeel.data.topics.words import sentence

group, view = open_group.require("Topics shows which topic has the lag.")
rows = lag_by_topic(view.comparison.group, view.comparison.lag)

st.write(sentence(*rows[0]))
plot.show(bars(rows), "topics", sentence(*rows[0]))
''',
}
PLACE = '    Place("topics/page.py", "Topics", "topic", "topics", is_of_group=True),\n'
PAGE = """
import json
import streamlit as st
from streamlit.testing.v1 import AppTest
from evenkeel.data.pipeline import uploads
from tests.dashboard.conftest import ENTRY, Page

uploads.start = lambda: None
menu = []
navigation = st.navigation
def listed(pages, **more):
    menu.extend(page.title for page in pages)
    return navigation(pages, **more)

st.navigation = listed

def drawn(**link):
    page = Page(AppTest.from_file(ENTRY, default_timeout=300)).open("topics", **link)
    assert not page.app.exception, page.app.exception
    return page

page = drawn(sample="lag-aware")
bars = page.figure(0)["data"][0]
print(json.dumps({
    "menu": menu,
    "texts": [element.value for element in page.app.markdown],
    "topics": bars["y"],
    "without a group": drawn().app.subheader[0].value,
}))
"""


@pytest.fixture(scope="module")
def tree(copied_tree):
    lines = {"dashboard/shell/navigation.py": (("    READINESS,\n", PLACE),)}
    with copied_tree.adding(ROOMS, lines) as tree:
        yield tree


def test_a_page_is_six_files_in_its_rooms_and_one_line(tree):
    assert len(tree.added) == 6
    assert {path.split("/")[1] for path in tree.added} == {"topics"}
    assert tree.more_lines == {"dashboard/shell/navigation.py": 1}


def test_the_page_is_in_the_menu_and_draws_the_open_group_at_its_address(tree):
    done = tree.run("-c", PAGE)

    assert done.returncode == 0, done.stderr[-3000:]
    page = json.loads(done.stdout.splitlines()[-1])
    assert page["menu"][-5:] == ["Streams", "Rebalances", "Readiness", "Topics", "Shared"]
    # KAFKA-5337's group: 100,000, 60,000 and 50,000 records.
    assert "t0 waits for 210,000 records." in page["texts"]
    assert page["topics"] == ["t0"]
    assert page["without a group"] == "No group is open"


def test_the_floors_need_no_line_for_it(tree):
    house = tree.house

    assert {"data.topics", "dashboard.topics"} <= set(house.features)
    assert [rule.__name__ for rule in [*PLANTED, shown_to_nobody] if rule(house)] == []
