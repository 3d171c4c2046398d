"""Readiness: which groups of a real cluster can move, what an opened one shows, and the way to
What-if.
"""

import json
import re

import pytest
from confluent_kafka.admin import AdminClient

from evenkeel.dashboard.readiness import loading
from evenkeel.dashboard.shell import cache
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.errors import SnapshotError
from evenkeel.data.sources.examples.worked_examples import WORKED_EXAMPLES
from tests.brokers.commits import commit
from tests.brokers.connecting import connected
from tests.brokers.other_consumers import OtherConsumers
from tests.brokers.topics import create_topic
from tests.data.live.histories import stable_documents

_TOPICS = ["page-left", "page-right"]


@pytest.fixture(scope="module")
def groups(broker):
    """The groups ready-page of three members of librdkafka on two topics of six partitions, and
    ready-page-empty without members.
    """
    connection = connected(broker, "pages")
    for topic in _TOPICS:
        create_topic(connection.admin, topic, 6)
    commit(connection.admin, "ready-page-empty", {("page-left", 0): 0})
    with OtherConsumers(broker.bootstrap()) as consumers:
        for number in range(3):
            consumers.start_librdkafka(
                f"page-{number}", _TOPICS, "ready-page", partition_assignment_strategy="range"
            )
        stable_documents(connection, {"ready-page": 3})
        yield
    connection.close()
    admin = AdminClient({"bootstrap.servers": broker.bootstrap()})
    for done in (
        *admin.delete_consumer_groups(["ready-page", "ready-page-empty"]).values(),
        *admin.delete_topics(_TOPICS).values(),
    ):
        done.exception()


@pytest.fixture
def cluster(broker, groups, lake, monkeypatch):
    """The cluster `local` of the configuration."""
    path = lake / "evenkeel.toml"
    path.write_text(f'[clusters.local]\n"bootstrap.servers" = "{broker.bootstrap()}"\n')
    monkeypatch.setenv("EVENKEEL_CONFIG", str(path))
    cache.ALL.clear()


def _table(page):
    return page.component("isTree")


def _rows(page):
    given = _table(page)
    keys = [column["key"] for column in given["columns"]]
    shown = [row for row in given["rows"] if "fold" not in row]
    return {
        row["id"]: row | {key: cell["text"] for key, cell in zip(keys, row["cells"], strict=True)}
        for row in shown
    }


def _opened(page):
    return next(row["inside"] for row in _table(page)["rows"] if row.get("isOpen"))


def test_without_a_cluster_and_an_opened_group_the_page_says_what_it_needs(page):
    page.open("readiness")

    assert page.app.subheader[0].value == "No group is open"
    assert any(
        "which groups can move to the consumer protocol" in one.value for one in page.app.markdown
    )
    assert any("[clusters.production]" in one.value for one in page.app.expander[0].markdown)


def test_without_a_cluster_the_page_judges_what_the_start_page_has_read(page):
    header = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"
    page.paste(
        f"{header}\npasted orders 0 1 2 1 pay-a-0f3c1e52 /10.4.1.17 pay-a\npasted orders 1 1 2 1"
        " pay-b-1f3c1e52 /10.4.1.18 pay-b\n"
    )
    page.open("readiness")
    page.app.session_state["readiness-open"] = "pasted"
    page.app.run()

    assert page.errors == []
    assert _rows(page)["pasted"]["kind"] == "unknown"
    assert "1 opened group" in page.badges
    assert "policy unknown" in page.badges
    assert [one["text"] for one in _opened(page)["reasons"]][0].startswith(
        "The assignments' bytes or the protocol type are not known."
    )


def document(partitions, **about):
    """A group of two members of Java without a name, with what decides about it."""
    half = partitions // 2
    members = [
        {
            "member_id": one,
            "client_id": one,
            "subscribed": ["orders"],
            "owned": {"orders": owned},
            "assignment_user_data": 0,
        }
        for one, owned in (("pay-a", list(range(half))), ("pay-b", list(range(half, partitions))))
    ]
    facts = {
        "type": "classic",
        "protocol_type": "consumer",
        "state": "Stable",
        "assignor": "range",
    } | about
    topics = [{"name": "orders", "topic_id": "a" * 21 + "A", "partitions": partitions}]
    leader = {"client": "java", "certain": True}
    told = {
        "format": "evenkeel.group/1",
        **facts,
        "leader": leader,
        "topics": topics,
        "members": members,
    }
    return json.dumps(told).encode()


def know_brokers(page):
    page.app.session_state["readiness-policy"] = "bidirectional"
    page.app.session_state["readiness-size"] = "100"


def test_groups_without_a_name_are_told_by_their_files_and_each_has_its_own_restarts(page):
    page.upload(("first.json", document(4)), ("second.json", document(6)))
    know_brokers(page)
    page.open("readiness")
    rows = _rows(page)
    assert {row["group"]: row["moves"].split(" of ")[1] for row in rows.values()} == {
        "first.json": "4",
        "second.json": "6",
    }

    link = {"opened": page.app.session_state["opened"].batch, "group": "nope"}
    assert (
        page.anew()
        .open("readiness", **link)
        .warnings[0]
        .endswith("one without a name in first.json, one without a name in second.json.")
    )
    page.app.session_state["readiness-open"] = next(
        name for name, row in rows.items() if "second" in row["group"]
    )
    page.app.run()
    assert [state["title"] for state in _opened(page)["strip"]] == [
        "classic, range",
        "1 of 2, mixed",
        "consumer, uniform",
    ]
    page.app.session_state["readiness-walk"] = page.app.session_state["readiness-open"]
    page.app.run()
    assert page.errors == []
    assert page.app.session_state["opened"].source_file == "second.json"


def test_the_address_of_an_upload_shows_it_to_another_browser_whatever_the_clusters_are_called(
    page, lake, monkeypatch
):
    (lake / "evenkeel.toml").write_text('[clusters.Opened]\n"bootstrap.servers" = "127.0.0.1:1"\n')
    monkeypatch.setenv("EVENKEEL_CONFIG", str(lake / "evenkeel.toml"))
    page.upload(
        ("first.json", document(4, group_id="one")), ("second.json", document(6, group_id="two"))
    )
    link = {"opened": page.app.session_state["opened"].batch, "place": "2"}

    other = page.anew().open("readiness", **link)

    assert (sorted(_rows(other)), _opened(other)["id"]) == (["one", "two"], "two")
    assert other.address == link
    gone = page.anew().open("readiness", opened="A" * 32)
    assert len(gone.warnings) == 1
    assert gone.warnings[0].startswith("No upload is kept under this address")
    unknown = page.anew().open("readiness", **link | {"cluster": "gone"})
    assert unknown.warnings == ["The URL asks for the cluster “gone”; available: Opened, Opened."]
    example = page.anew().open("readiness", sample=WORKED_EXAMPLES[0].slug)
    assert len(_rows(example)) == 1
    assert example.address == {"sample": WORKED_EXAMPLES[0].slug}


def test_of_a_listing_the_page_says_what_decides_and_where_it_is(page):
    header = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"
    empty = "Consumer group 'old-report' has no active members.\n"
    pasted = f"{header}\npasted orders 0 1 2 1 pay-a-0f3c1e52 /10.4.1.17 pay-a\n"
    page.paste(f"{pasted}\n{empty}{header}\nold-report orders 0 1 2 1 - - -\n")
    page.open("readiness")

    assert {name: row["kind"] for name, row in _rows(page).items()} == {
        "pasted": "unknown",
        "old-report": "unknown",
    }
    assert page.kpis == {}
    assert (
        "0 of 2 classic groups can go. 2 are unknown, 1 of them until you give the brokers&#x27;"
        " settings under Clients." in " ".join(re.sub("<.*?>", "", page.html).split())
    )


def test_groups_that_cannot_be_read_are_counted_by_their_reason(page, monkeypatch):
    page.upload(*[(f"{name}.json", document(4, group_id=name)) for name in ("one", "two", "three")])

    def refused(opened):
        raise SnapshotError("group of 4 partitions: found 9 GB, expected at most 1 GB")

    monkeypatch.setattr(loading, "stored", refused)
    page.open("readiness")

    assert page.warnings == [
        "Cannot be seen: 3 groups: group of 4 partitions: found 9 GB, expected at most 1 GB"
    ]


def test_a_worked_example_is_judged_and_its_restarts_open_in_what_if(page):
    slug = WORKED_EXAMPLES[0].slug
    page.app.session_state["opened"] = OpenGroup(slug=slug)
    page.open("readiness")
    (name,) = _rows(page)

    page.app.session_state["readiness-walk"] = name
    page.app.run()

    assert page.errors == []
    assert "steps" in page.address
    assert page.app.session_state["opened"].slug == slug


def test_a_group_has_its_verdict_and_what_would_move(page, cluster):
    page.open("readiness")
    page.app.text_input(key="readiness-search").set_value("ready-page").run()

    found = {
        name: (row["kind"], row["members"], row["assignor"]) for name, row in _rows(page).items()
    }
    assert found == {
        "ready-page": ("note", "3", "range → uniform"),
        "ready-page-empty": ("ready", "0", "unknown"),
    }
    assert _rows(page)["ready-page"]["moves"].endswith(" of 12")
    assert _rows(page)["ready-page"]["why"].startswith("page-left and page-right")
    assert {
        "Ready",
        "With a note",
        "Blocked",
        "Unknown",
        "Already consumer",
        "Move once",
    } == set(page.kpis)
    assert "policy bidirectional" in page.badges
    assert "group.version 1" in page.badges


def test_an_opened_group_shows_states_settings_assignors_and_order(page, cluster):
    page.open("readiness", group="ready-page")

    opened = _opened(page)
    assert [state["title"] for state in opened["strip"]] == [
        "classic, range",
        "1 of 3, mixed",
        "2 of 3, mixed",
        "consumer, range",
    ]
    assert [state["boxes"]["new"].count(True) for state in opened["strip"]] == [0, 1, 2, 3]
    assert opened["settings"][0]["add"] == [
        "group.protocol=consumer",
        "group.remote.assignor=range",
    ]
    assert "group.protocol.type" in opened["settings"][0]["remove"]
    assert opened["assignors"]["columns"] == ["today", "uniform", "range"]
    assert opened["assignors"]["advised"] == 2
    assert "place" in page.address
    assert "ready-page" not in str(page.address)


def test_a_release_that_a_reader_gives_answers_the_question_for_it(page, cluster):
    page.open("readiness", group="ready-page")
    asked = [one["text"] for one in _opened(page)["reasons"]]

    page.app.text_input(key="readiness-client-librdkafka").set_value("2.12").run()
    known = [one["text"] for one in _opened(page)["reasons"]]
    page.app.text_input(key="readiness-client-librdkafka").set_value("new").run()

    assert any("Ask for the version of the librdkafka client" in text for text in asked)
    assert not any("Ask the version" in text for text in known)
    assert page.errors == ["client librdkafka: found release 'new', expected such as 4.0.1"]


def test_the_other_plan_shows_eager_groups(page, cluster):
    page.open("readiness", plan="cooperative", group="ready-page")

    assert _rows(page)["ready-page"]["assignor"] == "range → cooperative-sticky"
    assert "Move from range directly to consumer" in _opened(page)["reasons"][0]["text"]


def test_the_restarts_open_in_what_if_step_by_step(page, cluster):
    page.open("readiness", group="ready-page")

    page.app.session_state["readiness-walk"] = "ready-page"
    page.app.run()

    assert page.errors == []
    assert "steps" in page.address
    assert page.scope == "ready-page"


def test_an_opened_group_that_is_gone_does_not_stand_before_the_clusters(page, lake, monkeypatch):
    (lake / "evenkeel.toml").write_text('[clusters.away]\n"bootstrap.servers" = "127.0.0.1:1"\n')
    monkeypatch.setenv("EVENKEEL_CONFIG", str(lake / "evenkeel.toml"))
    page.app.session_state["opened"] = OpenGroup(batch="gone", group_id="payments")

    page.open("readiness")

    shown = [one.value for kind in ("error", "warning", "info") for one in page.app.get(kind)]
    assert len(shown) == 1
    assert "cluster away" in shown[0]


def test_the_example_cluster_is_judged_by_the_settings_of_its_brokers(page):
    page.open("readiness", cluster="example")

    verdicts = {row["cells"][0]["text"] for row in _table(page)["rows"] if "cells" in row}
    assert "Ready" in verdicts
    assert "policy bidirectional" in page.app.markdown[1].value


def test_groups_whose_clients_have_an_unknown_version_are_not_counted_as_going(page):
    page.open("readiness", cluster="example")

    # Of 30 classic groups three have no member; Kafka tells no version of the clients of 27.
    assert (
        "<b>3 of 30 classic groups can go.</b> 27 more can go if their clients are new enough:"
        " enter releases under Clients." in page.html
    )
