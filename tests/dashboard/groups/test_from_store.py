"""Home and Overview of a cluster that nobody collects and whose brokers do not answer: what its
metrics store last has.
"""

from datetime import timedelta

import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboard.conftest import ENTRY, Page
from tests.generated.scraped import GROUP, scraped
from tests.generated.written_slots import DAY
from tests.services.stores import answers_of, serving

END = DAY + timedelta(hours=6)
STOOD = "orders-1 did not move in 300 s: 34.8 k records wait from offset 36,995."


@pytest.fixture
def tab(tmp_path, ingests_here, monkeypatch):
    monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path / "lake"))
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
    monkeypatch.setattr("evenkeel.data.clock.now", lambda: END)
    with serving(answers_of(scraped(END))) as served:
        (tmp_path / "evenkeel.toml").write_text(
            '[clusters.c]\n"bootstrap.servers" = "127.0.0.1:1"\n'
            f'[clusters.c.history]\nprometheus = "{served.url}"\n'
        )
        yield Page(AppTest.from_file(ENTRY, default_timeout=300))


def test_home_lists_the_groups_of_the_store_and_says_what_it_does_not_record(tab):
    page = tab.open("", cluster="c")

    assert not page.app.exception
    assert page.findings == {GROUP: STOOD}
    assert [one.value for one in page.app.info] == [
        "The groups are as Prometheus last has them: "
        "it records no owners, no members and no rebalances."
    ]
    assert "Connection refused" in page.errors[0]


def test_pages_of_a_group_of_the_store_say_nothing_of_members(tab):
    page = tab.open("overview", cluster="c", group=GROUP)

    assert not page.app.exception
    assert page.component("what")["what"]["sentence"] == STOOD
    assert page.warnings == [
        "Cannot be seen: owners, members and rebalances: "
        "Prometheus (kafka_exporter) does not record them"
    ]

    moves = page.open("moves", cluster="c", group=GROUP)
    assert moves.kpis == {"Total lag": "34.8\u202fk", "Most lag": "34.8\u202fk", "Partitions": "2"}

    timeline = page.open("timeline", cluster="c", group=GROUP)
    cells = timeline.html.partition("Members, idle</th>")[2].partition("</tr>")[0]
    assert cells == '<td>–</td><td>–</td><td class="change ">–</td>'
