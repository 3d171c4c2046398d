"""A live KIP-848 group in the middle of a rebalance: a member that does not poll gives nothing up,
so that another waits for it.
"""

import pytest
from confluent_kafka import Consumer
from confluent_kafka.admin import AdminClient

from evenkeel.dashboard.shell.loading.clusters import live_snapshot
from evenkeel.data.live.for_pages import read_group
from tests.brokers.topics import create_topic
from tests.waiting import until


@pytest.fixture
def group(broker, lake, monkeypatch):
    """The group underway of cluster local: `first` has all 4 partitions of underway and does not
    poll, `second` has joined.
    """
    (lake / "evenkeel.toml").write_text(
        f'[clusters.local]\n"bootstrap.servers" = "{broker.bootstrap()}"\n'
    )
    monkeypatch.setenv("EVENKEEL_CONFIG", str(lake / "evenkeel.toml"))
    admin = AdminClient({"bootstrap.servers": broker.bootstrap()})
    create_topic(admin, "underway", 4)
    first, second = (_member(broker, name) for name in ("first", "second"))
    try:
        assert until(lambda: first.poll(0.1) or len(first.assignment()) == 4)
        second.subscribe(["underway"])
        assert until(
            lambda: (
                second.poll(0.1)
                or len(
                    [
                        one
                        for one in read_group("local", "underway").document.members
                        if one.current is not None
                    ]
                )
                == 2
            )
        )
        yield "underway"
    finally:
        second.close()
        first.close()
        for done in (
            *admin.delete_consumer_groups(["underway"]).values(),
            *admin.delete_topics(["underway"]).values(),
        ):
            done.exception()


def test_who_gives_up_and_who_gets_what_is_shown_while_it_differs(page, group):
    page.open("compare", opened=live_snapshot("local", group))

    first, second = sorted(_table(page))
    assert (first[:2], first[3], second[:3]) == (["first", 4], "nothing", ["second", 0, "nothing"])
    assert first[2] == second[3]
    assert first[2].count("underway-") == 2
    assert "Moving to the target assignment: 2 members<" in page.html


def _table(page):
    (found,) = [
        one.value
        for one in page.app.dataframe
        if list(one.value.columns) == ["Member", "Has", "Will revoke", "Will get"]
    ]
    return found.values.tolist()


def _member(broker, name):
    consumer = Consumer(
        {
            "bootstrap.servers": broker.bootstrap(),
            "group.id": "underway",
            "client.id": name,
            "group.protocol": "consumer",
            "enable.auto.commit": False,
        }
    )
    if name == "first":
        consumer.subscribe(["underway"])
    return consumer
