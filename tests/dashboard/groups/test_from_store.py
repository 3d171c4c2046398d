"""Home and pages of a cluster that nobody collects: what its metrics store has, whether or not its
brokers answer.
"""

import re
from datetime import timedelta

import pytest
from streamlit.testing.v1 import AppTest

from evenkeel.dashboard.shell.cache import ALL
from evenkeel.dashboard.shell.loading.clusters import store_list
from evenkeel.dashboard.shell.reader import Reader, acting
from evenkeel.data.configuration.rights import Right, granted
from evenkeel.data.errors import NoGroupError, SnapshotError
from evenkeel.data.group.tables import schemas
from evenkeel.data.lake.import_folder import private_place
from evenkeel.data.lake.place import place_of
from evenkeel.data.lake.slots.slot_batches import slot_batch
from evenkeel.data.live import for_pages
from tests.dashboard.conftest import ENTRY, Page
from tests.generated.scraped import GROUP, scraped
from tests.generated.written_slots import DAY, write_slot
from tests.services.stores import answers_of, series_row, serving

END = DAY + timedelta(hours=6)
SOURCE = "from Prometheus (kafka_exporter), scraped every 60 s; owners not recorded"
STOOD = "orders-1 did not move in 300 s: 34.8 k records wait from offset 36,995."


@pytest.fixture
def tab(tmp_path, ingests_here, monkeypatch):
    monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path / "lake"))
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
    monkeypatch.setattr("evenkeel.data.clock.now", lambda: END)
    ALL.clear()
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
    assert SOURCE in page.badges
    assert "Connection refused" in page.errors[0]


def test_home_has_the_last_hours_of_the_store_if_the_lake_has_no_slot(tab):
    page = tab.open("", cluster="c")

    # They are read behind the page.
    line = page.until(
        lambda: next(
            (
                line
                for line in page.component("lines")["lines"]
                if line["since"] != "–" and line["spark"]
            ),
            None,
        )
    )

    # Partition 1 stands still since minute 60.
    assert (line["name"], line["since"], line["behind"]) == (GROUP, "05:01", "58 m")
    # The first half of the drawing is even; from its middle on the age grows.
    places = re.findall(r"[ML]([\d.]+) ([\d.]+)", line["spark"]["line"])
    heights = [float(height) for _, height in places]
    assert len(set(heights[:20])) == 1
    assert heights[30:] == sorted(heights[30:], reverse=True)

    every = page.anew().open("", cluster="c", show="all")
    cells = every.component("rows")["rows"][0]["cells"]
    assert [cell["title"] for cell in cells if cell["text"] == "58 m"] == [
        "Interpolated: between two snapshots, at a constant rate of records; From Prometheus"
        " (kafka_exporter), scraped every 60 s."
    ]


def test_home_of_a_store_alone_says_that_a_group_keeps_up_and_that_owners_are_not_recorded(
    tab, tmp_path
):
    rows = [row for row in scraped(END) if row.labels["partition"] == "0"]
    with serving(answers_of(rows)) as served:
        (tmp_path / "evenkeel.toml").write_text(
            '[clusters.c]\n"bootstrap.servers" = "127.0.0.1:1"\n'
            f'[clusters.c.history]\nprometheus = "{served.url}"\n'
        )
        page = tab.open("", cluster="c")

        assert page.counts == "1 is fine"
        overview = page.anew().open("overview", cluster="c", group=GROUP)

    assert overview.component("what")["what"]["sentence"] == (
        "pay keeps up: 5 records on 1 partition, and owners are not recorded."
    )


def test_home_of_a_cluster_with_brokers_has_findings_of_the_store_and_members_of_now(
    tab, monkeypatch
):
    answering(monkeypatch, pay=1, fresh=3)

    page = tab.open("", cluster="c")

    assert not page.app.exception
    assert page.findings == {GROUP: STOOD}
    assert page.counts == "1 needs you, 1 is unknown"
    assert SOURCE in page.badges
    assert page.errors + page.warnings + [*page.app.caption] == []

    every = page.anew().open("", cluster="c", show="all")
    members = {name: row["members"] for name, row in every.groups.items()}
    assert members == {GROUP: "1", "fresh": "3"}
    cells = every.component("rows")["rows"][0]["cells"]
    assert [cell["title"] for cell in cells if cell["text"] == "34,810"] == [
        "From Prometheus (kafka_exporter), scraped every 60 s."
    ]


def test_home_of_a_cluster_whose_store_refuses_lists_what_the_brokers_have(tab, monkeypatch):
    answering(monkeypatch, pay=1)
    monkeypatch.setattr(
        "tests.services.stores._Handler.send_data", lambda self, data: self.send(403, b"")
    )

    page = tab.open("", cluster="c")

    assert page.counts == "1 is unknown"
    assert list(page.groups) == [GROUP]
    assert "it answers 403" in page.errors[0]


def test_a_group_that_the_brokers_do_not_know_is_not_opened_from_the_store(tab, monkeypatch):
    def no_group(cluster: str, group_id: str) -> None:
        raise NoGroupError(cluster, group_id, 2)

    monkeypatch.setattr(for_pages, "stored_snapshot", no_group)

    page = tab.open("overview", cluster="c", group=GROUP)

    assert page.warnings == ['cluster c: no group "pay" among the 2 that this user may see']


@pytest.mark.parametrize("rights", [["pay"], ["other"]])
def test_a_reader_without_rights_to_a_group_of_the_store_is_answered_so(tab, rights):
    grants = granted([Right("sub", ("ada",), ("see",), ("c",), tuple(rights))], {"sub": "ada"})
    with acting(Reader("login", "corporate:ada", grants=grants)):
        try:
            read = store_list("c")
        except SnapshotError as error:
            read = str(error)

    if rights == ["pay"]:
        assert read.facts.exporter == "kafka_exporter"
    else:
        assert read == "cluster c: its metrics store has no group that this user may see"


def answering(monkeypatch, **members: int) -> None:
    """Let brokers list groups with so many members each."""
    rows = [
        dict.fromkeys(schemas.GROUPS.names)
        | {"group_id": name, "state": "Stable", "member_count": count, "unknown_lag_count": 0}
        for name, count in members.items()
    ]
    listed = schemas.GROUPS.empty_table().from_pylist(rows, schema=schemas.GROUPS)
    monkeypatch.setattr(for_pages, "groups_of", lambda name: listed)


def test_pages_of_a_group_of_the_store_say_nothing_of_members(tab):
    page = tab.open("overview", cluster="c", group=GROUP)

    assert not page.app.exception
    assert page.component("what")["what"]["sentence"] == STOOD
    assert page.warnings == [
        "Cannot be seen: owners, members and rebalances: "
        "Prometheus (kafka_exporter) does not record them"
    ]

    moves = page.open("moves", cluster="c", group=GROUP)
    assert moves.kpis == {"Lag": "34.8\u202fk", "Worst partition": "34.8\u202fk", "Partitions": "2"}

    timeline = page.open("timeline", cluster="c", group=GROUP)
    cells = timeline.html.partition("Members, idle</th>")[2].partition("</tr>")[0]
    assert cells == '<td>–</td><td>–</td><td class="change ">–</td>'


def test_overview_of_a_group_with_members_of_now_has_its_past_and_each_figure_its_source(
    tab, tmp_path, monkeypatch
):
    offsets = [
        {
            "group_id": GROUP,
            "topic": "orders",
            "partition": partition,
            "begin_offset": 0,
            "committed_offset": committed,
            "end_offset": 72_400,
            "member_id": f"m-{partition}",
        }
        for partition, committed in enumerate((72_395, 36_995))
    ]
    batch = slot_batch("c", int(END.timestamp()))
    # A page's own reading is private, and no slot of the lake.
    with private_place(place_of(tmp_path / "lake"), batch, is_upload=False) as home:
        write_slot(home, 720, offsets)
    monkeypatch.setattr(
        "evenkeel.dashboard.shell.loading.clusters.live_snapshot", lambda *group: batch
    )

    page = tab.open("overview", cluster="c", group=GROUP)

    assert not page.app.exception
    shown = page.component("what")
    # The owner is known by now: stuck becomes what it is. It stands still since minute 60.
    assert shown["what"]["sentence"].startswith("m-1 reads nothing")
    assert shown["what"]["details"] == ["Since 05:01."]
    store = "From Prometheus (kafka_exporter), scraped every 60 s."
    assert {cell["label"]: (cell["value"], cell["tip"]) for cell in shown["strip"]} == {
        "Lag": ("35.4 k", "From the brokers."),
        # By the last scrape, of minute 118.
        "Behind": ("58 m", store),
        "Drained": ("never", store),
        "Members": ("2", "From the brokers."),
    }
    source = "from Prometheus (kafka_exporter), scraped every 60 s"
    assert shown["who"]["hours"]["source"] == f"Until 05:59 {source}."
    assert shown["why"]["source"] == source
    assert "reading" not in page.html


def test_figures_of_offsets_that_are_made_of_lags_are_marked(tab, tmp_path):
    rows = [
        series_row(
            name,
            [((END - timedelta(minutes=minute)).timestamp(), 900) for minute in range(60)],
            topic_name="orders",
            partition_id=0,
            **more,
        )
        for name, more in (
            ("kminion_kafka_topic_partition_high_water_mark", {}),
            ("kminion_kafka_consumer_group_topic_partition_lag", {"group_id": "sums"}),
        )
    ]
    with serving(answers_of(rows)) as served:
        (tmp_path / "evenkeel.toml").write_text(
            '[clusters.c]\n"bootstrap.servers" = "127.0.0.1:1"\n'
            f'[clusters.c.history]\nprometheus = "{served.url}"\n'
        )
        page = tab.open("", cluster="c", show="all")
        overview = page.anew().open("overview", cluster="c", group="sums")

    assert [row["lag"] for row in page.groups.values()] == ["≈ 900"]
    lag = overview.component("what")["strip"][0]
    assert (lag["value"], lag["tip"]) == ("≈ 900", "From Prometheus (kminion), scraped every 60 s.")
