"""Groups: the groups of a live cluster, from a real broker."""

import re

import pytest
from confluent_kafka import Consumer, Producer
from confluent_kafka.admin import AdminClient

from evenkeel.dashboard.groups import cluster_list
from evenkeel.dashboard.groups.choices import ListFilter
from evenkeel.dashboard.shell import cache
from evenkeel.dashboard.shell.loading.clusters import live_snapshot
from evenkeel.data.group.tables import schemas
from evenkeel.data.live import for_pages
from evenkeel.data.live.reading import group_list
from tests.brokers.commits import commit
from tests.brokers.strangers import stranger
from tests.brokers.topics import create_topic

_BOTH = {"far": ["0", "15", "pages-0"], "near": ["0", "0", ""]}


@pytest.fixture
def cluster(broker, lake, monkeypatch):
    """A cluster `local` with the topic pages (2 partitions of 10 records), the group far, 10 and 5
    behind, and the group near, at the end; neither has members.
    """
    path = lake / "evenkeel.toml"
    path.write_text(f'[clusters.local]\n"bootstrap.servers" = "{broker.bootstrap()}"\n')
    monkeypatch.setenv("EVENKEEL_CONFIG", str(path))
    admin = AdminClient({"bootstrap.servers": broker.bootstrap()})
    create_topic(admin, "pages", 2)
    producer = Producer({"bootstrap.servers": broker.bootstrap()})
    for number in range(20):
        producer.produce("pages", b"x", partition=number % 2)
    producer.flush()
    for group_id, offsets in (("far", [0, 5]), ("near", [10, 10])):
        commit(
            admin, group_id, {("pages", number): offset for number, offset in enumerate(offsets)}
        )
    cache.ALL.clear()
    yield broker
    for done in (
        *admin.delete_consumer_groups(["far", "near"]).values(),
        *admin.delete_topics(["pages"]).values(),
    ):
        done.result()


def _rows(page):
    """The groups that read the topic."""
    page.app.session_state["groups-choice"] = ListFilter(search="pages")
    page.app.run()
    return {
        name: [row[key] for key in ("members", "lag", "most-at")]
        for name, row in page.groups.items()
    }


def test_without_a_cluster_home_asks_for_a_listing_and_says_how_a_cluster_is_configured(page):
    page.open("start")

    assert page.app.text_area(key="paste")
    assert any("[clusters.production]" in each.value for each in page.app.markdown)


def test_the_group_that_is_furthest_behind_comes_first(page, cluster):
    page.open("groups")

    assert list(_rows(page).items()) == list(_BOTH.items())


def test_a_search_leaves_the_rows_that_pass(page, cluster):
    page.open("groups")

    page.app.text_input(key="groups-search").set_value("NEA").run()
    found = list(page.groups)
    page.app.text_input(key="groups-search").set_value("nothing of this name").run()

    none = next(each for each in page.components("foot") if "columns" in each)["none"]
    page.app.text_input(key="groups-search").set_value("Pages").run()
    by_topic = set(page.groups)

    assert found == ["near"]
    assert (
        none
        == "No group has “nothing of this name” in its name, or in the name of a topic, member or"
        " host."
    )
    assert by_topic == {"far", "near"}
    assert page.address["search"] == "Pages"


def test_a_list_read_again_says_by_how_much_each_lag_has_changed_in_a_minute(page, cluster):
    page.open("groups")
    first = _rows(page)
    commit(AdminClient({"bootstrap.servers": cluster.bootstrap()}), "far", {("pages", 0): 7})
    cache.ALL.clear()

    page.app.button(key="list-again").click().run()

    assert first["far"][1] == "15"
    assert (page.groups["far"]["change"][0], page.groups["near"]["change"]) == ("−", "0")


def test_a_list_stays_with_its_age_while_the_cluster_does_not_answer(page, cluster, lake):
    page.open("groups")
    shown, configured = _rows(page), (lake / "evenkeel.toml").read_text()
    (lake / "evenkeel.toml").write_text(configured.replace(cluster.bootstrap(), "127.0.0.1:1"))
    cache.ALL.clear()

    page.app.button(key="list-again").click().run()
    said, while_away = [one.value for one in page.app.warning], _rows(page)
    (lake / "evenkeel.toml").write_text(configured)
    page.app.button(key="list-again").click().run()

    assert len(said) == 1
    assert re.fullmatch(
        r"cluster local: no connection: .*\. The last reading is shown\.", said[0].replace("\\", "")
    )
    assert while_away == shown
    assert (list(page.app.warning), _rows(page)) == ([], shown)


def test_an_empty_list_of_restarted_brokers_shows_the_last_reading_and_counts_after_a_while(
    page, cluster, monkeypatch
):
    page.open("groups")
    shown = _rows(page)
    monkeypatch.setattr(group_list, "group_list", lambda connection: schemas.GROUPS.empty_table())
    monkeypatch.setattr(for_pages, "_LOADING_SECONDS", 0)
    cache.ALL.clear()

    page.app.button(key="list-again").click().run()
    said, while_empty = page.warnings, _rows(page)
    monkeypatch.setattr(cluster_list, "_LOADING_SECONDS", 0)
    page.app.button(key="list-again").click().run()

    assert said == [
        "cluster local: the brokers list no groups now, and may still be loading them. The last"
        " reading is shown."
    ]
    assert while_empty == shown
    assert [
        error.partition(":")[2].startswith(" no group is visible to this user")
        for error in page.errors
    ] == [True]


def test_what_the_address_asks_for_in_vain_is_one_line_each(page, cluster):
    page.open("groups", sort="speed", page="0", watch="2 s")

    assert [text.partition(",")[0].partition(";")[0] for text in page.warnings] == [
        "The URL asks for the interval of Watch “2 s”",
        "The URL asks for sort “speed”",
        "The URL asks for page “0”",
    ]
    assert page.groups


def test_the_browser_gets_the_age_and_when_a_refresh_is_overdue(page, cluster):
    page.open("groups", watch="10 s")

    age = page.component("due")

    assert re.fullmatch(r"as of \d\d:\d\d:\d\d UTC", age["text"])
    assert 0 <= age["seconds"] < 60
    assert age["due"] == 25
    assert page.address["watch"] == "10 s"


def test_a_cluster_that_does_not_answer_is_one_line(page, lake, monkeypatch):
    (lake / "evenkeel.toml").write_text('[clusters.gone]\n"bootstrap.servers" = "127.0.0.1:1"\n')
    monkeypatch.setenv("EVENKEEL_CONFIG", str(lake / "evenkeel.toml"))

    page.open("groups")

    assert page.errors == [
        "cluster gone: no connection: 127.0.0.1:1/bootstrap: Connect to ipv4#127.0.0.1:1 failed:"
        " Connection refused"
    ]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (b"", "no broker answers at {address}; a listener that expects TLS"),
        (b"HTTP/1.1 400 Bad Request", "the address answers, but not as a Kafka broker: {address}/"),
    ],
)
def test_a_listener_that_is_no_broker_is_one_line_and_the_other_cluster_is_one_click_away(
    page, cluster, lake, answer, message
):
    with stranger(answer) as address:
        with (lake / "evenkeel.toml").open("a") as configuration:
            configuration.write(f'[clusters.mute]\n"bootstrap.servers" = "{address}"\n')

        page.open("groups", cluster="mute")
        errors = page.errors
        page.app.segmented_control(key="cluster").set_value("local").run()

    assert [
        error.startswith(f"cluster mute: {message.format(address=address)}") for error in errors
    ] == [True]
    assert page.errors == []
    assert _BOTH.keys() <= _rows(page).keys()


def test_an_address_is_taken_only_where_the_configuration_says_so(page, cluster, lake):
    page.open("groups")
    without = (
        [box.key for box in page.app.text_input],
        page.app.segmented_control(key="cluster").options,
    )
    with (lake / "evenkeel.toml").open("a") as configuration:
        configuration.write("[live]\nfree_form = true\n")
    page.open("groups")
    page.app.segmented_control(key="cluster").set_value("By address").run()

    assert without == (["groups-search"], ["local"])
    assert "cluster-address" in [box.key for box in page.app.text_input]


def test_a_typed_address_lists_and_opens_groups_and_stands_in_no_link(page, cluster, lake):
    (lake / "evenkeel.toml").write_text("[live]\nfree_form = true\n")

    page.open("groups")
    page.app.text_input(key="cluster-address").set_value(f" {cluster.bootstrap()} ").run()
    listed = {name: row for name, row in _rows(page).items() if name in _BOTH}
    linked = page.address
    page.app.text_input(key="cluster-address").set_value("someone@nowhere").run()

    assert listed == _BOTH
    assert linked == {"search": "pages"}
    assert page.errors == [
        "the address 'someone@nowhere' cannot be used, expected host:port, or several with"
        " commas between them; a cluster with a login must be in the configuration"
    ]

    other = page.anew().open("compare", opened=live_snapshot(cluster.bootstrap(), "far"))
    other.app.button(key="read-again").click().run()
    assert other.scope == "far"
    assert "lag 0" in other.html


def test_a_live_group_is_compared_read_again_and_set_against_the_snapshot_before(page, cluster):
    consumer = Consumer(
        {
            "bootstrap.servers": cluster.bootstrap(),
            "group.id": "reading",
            "client.id": "reader",
            "enable.auto.commit": False,
        }
    )
    consumer.subscribe(["pages"])
    while len(consumer.assignment()) < 2:
        consumer.poll(0.1)
    batch = live_snapshot("local", "reading")

    page.open("compare", opened=batch)
    badges = [badge.value for badge in page.app.markdown]
    page.app.button(key="read-again").click().run()
    consumer.close()

    assert page.scope == "reading"
    assert page.kpis["Partitions"] == "2"
    assert any("librdkafka agrees" in badge for badge in badges)
    assert "0 partitions changed owner, lag –" in page.html

    page.open("moves")
    since = page.app.selectbox(key="since")
    since.set_value(since.options[1]).run()
    assert {"Kept": page.kpis["Kept"], "Moved": page.kpis["Moved"]} == {"Kept": "2", "Moved": "0"}


def test_a_group_that_is_gone_when_it_is_opened_is_one_line(cluster):
    from streamlit.testing.v1 import AppTest

    def script():
        from evenkeel.dashboard.scope import live

        live.open_now("local", "never there")

    app = AppTest.from_function(script).run()

    assert re.fullmatch(
        r'cluster local: no group "never there" among the \d+ that this user may see',
        app.error[0].value.replace("\\", ""),
    )
