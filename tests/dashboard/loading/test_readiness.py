"""What all groups of a cluster would move: of many groups it is counted behind the page."""

from datetime import UTC, datetime

import pytest

from evenkeel.dashboard.loading import readiness
from evenkeel.dashboard.loading.readiness import Known, Readiness, eager, total
from evenkeel.data.columns import observed_from_document
from evenkeel.data.document.building import group_document
from evenkeel.data.scenarios.readiness import Asked, answered, broker_of
from tests.waiting import until

_ASKED = Asked(
    broker_of(
        {"group.consumer.migration.policy": "bidirectional", "group.consumer.max.size": "100"}
    )
)


def _cluster(count, taken_at):
    owned = {"a": {"orders": [0, 1]}, "b": {"orders": [2]}}
    facts = {"type": "classic", "state": "Stable", "assignor": "range", "protocol_type": "consumer"}
    documents = (
        group_document({"orders": 3}, ["a", "b"], owned=owned, group_id=f"group-{number}", **facts)
        for number in range(count)
    )
    groups = [answered(observed_from_document(one), _ASKED, draws=0) for one in documents]
    return Readiness(groups, _ASKED.broker, {}, 1, [], taken_at)


@pytest.fixture
def unknown_bytes_are_none(monkeypatch):
    """Groups of plain values have no bytes: for this room they may go."""
    monkeypatch.setattr(readiness, "_GOING", tuple(readiness.Verdict))


def test_few_groups_are_predicted_at_once_and_many_behind_the_page_with_the_same_sum(
    lake, unknown_bytes_are_none, monkeypatch
):
    few, many = (_cluster(4, datetime(2026, 11, day, tzinfo=UTC)) for day in (1, 2))

    at_once = total("few", few, Known())
    monkeypatch.setattr(readiness, "_FEW", 3)
    total("many", many, Known())
    behind = until(lambda: (now := total("many", many, Known())).left == 0 and now)

    assert (at_once.left, at_once.partitions) == (0, 12)
    assert behind == at_once


def test_groups_of_range_are_eager(lake):
    assert [
        one.facts.group_id for one in eager(_cluster(2, datetime(2026, 11, 3, tzinfo=UTC)))
    ] == ["group-0", "group-1"]
