"""A live group that runs Evenkeel's own assignor: its badge, whether Kafka agrees, and what no
longer is said of a jar.
"""

import pytest
from confluent_kafka import Producer
from evenkeel_assignors.leading import Leading
from evenkeel_assignors.rule import Member

from evenkeel.dashboard.shell.loading.clusters import live_snapshot
from evenkeel.data.commands.main import main
from tests.brokers.connecting import connected
from tests.brokers.other_consumers import OtherConsumers
from tests.brokers.topics import create_topic
from tests.dashboard.conftest import ENTRY, AppTest, Page
from tests.data.live.histories import stable_document


@pytest.fixture
def group(broker, lake, monkeypatch):
    """The group by-lag of cluster local: nothing is committed of `steered`, which it reads from the
    begin; partition 3 is the hot one.
    """
    (lake / "evenkeel.toml").write_text(
        f'[clusters.local]\n"bootstrap.servers" = "{broker.bootstrap()}"\n'
    )
    monkeypatch.setenv("EVENKEEL_CONFIG", str(lake / "evenkeel.toml"))
    connection = connected(broker, "local")
    create_topic(connection.admin, "steered", 4)
    _produce(broker, [1, 2, 3, 9])
    with OtherConsumers(broker.bootstrap()) as consumers:
        for name in ("first", "second"):
            consumers.start_kafka_python(
                name,
                ["steered"],
                "by-lag",
                "lag",
                settings={"auto_offset_reset": "earliest"},
                time_limit=15.0,
            )
        stable_document(connection, "by-lag", 2)
        yield "by-lag"
    for done in (
        *connection.admin.delete_consumer_groups(["by-lag"]).values(),
        *connection.admin.delete_topics(["steered"]).values(),
    ):
        done.exception()
    connection.close()


def _produce(broker, counts):
    producer = Producer({"bootstrap.servers": broker.bootstrap()})
    for partition, number in enumerate(counts):
        for _ in range(number):
            producer.produce("steered", b"x", partition=partition)
    assert producer.flush(60) == 0


def _badges(page):
    return [badge for one in page.app.markdown for badge in [one.value] if "-badge[" in badge]


def test_its_badge_names_the_assignor_kafka_agrees_and_later_the_lags_have_changed(
    page, group, broker, capsys
):
    page.open("compare", opened=live_snapshot("local", group), candidate="lag")

    said = "\n".join(_badges(page))
    assert "lag by Evenkeel's assignor" in said
    assert "Kafka agrees" in said
    row = next(row for row in page.rows if row["name"] == "lag")
    assert (row["inUse"], row["why"]) == (
        "in use",
        "not in Kafka: it runs in this group (KAFKA-5337)",
    )
    assert "a jar of your own" not in page.html
    assert page.kpis["Lag"] == "15"
    assert "No change: the group uses it now." in page.html

    _produce(broker, [40, 0, 0, 0])
    later = Page(AppTest.from_file(ENTRY, default_timeout=300))
    later.open("compare", opened=live_snapshot("local", group), candidate="lag")

    said = "\n".join(_badges(later))
    assert "lags have changed since; counts agree" in said
    assert "differ from the replay" not in said

    assert main(["compare", "--cluster", "local", "--group", group, "--assignor", "lag"]) == 0
    assert "jar" not in capsys.readouterr().out


def test_a_journal_that_is_dropped_on_the_page_says_exactly_whether_the_rule_was_followed(
    page, tmp_path
):
    journal = tmp_path / "journal.jsonl"
    settings = {"bootstrap_servers": "127.0.0.1:1", "group_id": "payments"}
    lags = [100, 60, 5]
    leading = Leading(
        settings,
        None,
        client="aiokafka",
        protocol="lag",
        time_limit=1.0,
        session_timeout_ms=10_000,
        read=lambda _: {("t", number): lag for number, lag in enumerate(lags)},
        journal=journal,
    )
    given = leading.assign(
        {"a": ["t"], "b": ["t"]},
        lambda: [Member("a", ["t"], {"t": [0, 1]}, 3), Member("b", ["t"])],
        lambda _: {0, 1, 2},
    )

    page.paste(journal.read_text()).open("compare", candidate="lag")

    said = "\n".join(_badges(page))
    assert given == {"a": {"t": [0]}, "b": {"t": [1, 2]}}
    assert "lag by Evenkeel's assignor" in said
    assert "Kafka agrees" in said
    assert "led by aiokafka" in [chip.proto.popover.label for chip in page.app.get("popover")]
    assert page.kpis["Lag"] == "165"
