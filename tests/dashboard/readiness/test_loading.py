"""What all groups of a cluster would move: of many groups it is counted behind the page."""

from datetime import UTC, datetime

import msgspec

from evenkeel.dashboard.readiness.loading import ReaderFacts, Readiness, Total, eager, total
from evenkeel.data.group.columns import observed_from_document
from evenkeel.data.group.document.building import group_document
from evenkeel.data.readiness.answer import answered
from evenkeel.data.readiness.environment import Environment, broker_of
from evenkeel.data.readiness.facts import facts_of
from tests.waiting import until

_ASKED = Environment(
    broker_of(
        {"group.consumer.migration.policy": "bidirectional", "group.consumer.max.size": "100"}
    )
)
_JAVA = frozenset(["java"])


def _group(number):
    """A Java group without user data. a has all three partitions, b nothing: `uniform`
    moves one.
    """
    facts = {
        "type": "classic",
        "state": "Stable",
        "assignor": "range",
        "protocol_type": "consumer",
        "group_id": f"group-{number}",
    }
    plain = group_document(
        {"orders": 3}, ["a", "b"], owned={"a": {"orders": [0, 1, 2]}, "b": {}}, **facts
    )
    members = [msgspec.structs.replace(member, assignment_user_data=0) for member in plain.members]
    observed = observed_from_document(msgspec.structs.replace(plain, members=members))
    return answered(observed, _ASKED, facts_of(observed, [_JAVA, _JAVA]), draws=0)


def _cluster(count, day):
    return Readiness(
        [_group(number) for number in range(count)],
        _ASKED.broker,
        {},
        1,
        [],
        datetime(2026, 11, day, tzinfo=UTC),
    )


def test_few_groups_are_predicted_before_the_page_is_drawn(lake):
    assert total("few", _cluster(4, day=1), ReaderFacts()) == Total(moves=4, partitions=12, left=0)


def test_more_than_200_groups_are_predicted_behind_the_page(lake):
    many = _cluster(201, day=2)

    first = total("many", many, ReaderFacts())
    last = until(lambda: (now := total("many", many, ReaderFacts())).left == 0 and now)

    assert first.left > 0
    assert first.moves == 201 - first.left
    assert last == Total(moves=201, partitions=603, left=0)


def test_groups_of_range_are_eager(lake):
    assert [ready.facts.group_id for ready in eager(_cluster(2, day=3))] == ["group-0", "group-1"]


def test_a_row_says_that_the_version_of_its_client_decides_and_is_unknown(page):
    def clients():
        return page.component("isTree")["rows"][0]["cells"][2]["note"]

    page.open("readiness", cluster="example")
    unknown = clients()
    page.app.text_input(key="readiness-client-java").set_value("4.1").run()

    assert (unknown, clients()) == ("· Java, version unknown", "· Java 4.1")
