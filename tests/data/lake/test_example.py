"""The example cluster: the script of the repository writes it, and each of its groups has the cause
for which it was built.
"""

from datetime import timedelta

import pytest

from evenkeel.assignors.timeline.now import now
from evenkeel.data.configuration.findings import FindingSettings
from evenkeel.data.diagnosis.answer import Context, diagnosed
from evenkeel.data.diagnosis.reading import between
from evenkeel.data.diagnosis.stored import stored_readings_of_all
from evenkeel.data.episodes.answer import findings_of
from evenkeel.data.episodes.past import cluster_pasts, group_past
from evenkeel.data.episodes.stored import StoredSnapshots
from evenkeel.data.group.budget import Budget
from evenkeel.data.group.columns.from_tables import GroupKey
from evenkeel.data.lake import store
from evenkeel.data.lake.example import NAME, PLACE
from evenkeel.data.lake.history.history import history_in
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.history.recent import last_of
from tests.generated.example_cluster import DAY, days_of, tables_of
from tests.generated.example_groups import GROUPS

FINE = ("fine", ())
CODES = {
    "email-sender": ("down", ("down",)),
    "invoice-writer": ("stalled", ("stalled",)),
    "checkout": ("stuck", ("stuck",)),
    "ledger-reader": ("stuck", ("blocked",)),
    "loyalty": ("unread", ("unread",)),
    "audit-sink": ("down", ("lost",)),
    "returns-archiver": ("stalled", ("loses",)),
    "search-indexer": ("rewound", ("rewound",)),
    "pricing": ("slow_member", ("never_drains",)),
    "clickstream": ("behind", ("never_drains",)),
    "thumbnails": ("behind", ("idle", "never_drains")),
    "fraud-scorer": ("rebalancing", ()),
    "sessions": ("hot_partition", ("hot_partition", "never_drains")),
    "enricher": ("uneven", ("never_drains",)),
    "catalog-sync": ("behind", ()),
    "kyc": ("uncommitted", ()),
    "crm-export": ("left", ("left",)),
    "old-reports": ("down", ("down", "forgotten")),
    "reconciliation": ("past_end", ()),
    "geo-index": ("unknown", ("unknown",)),
    "notifier": ("fine", ("unstable",)),
    "feature-store": ("fine", ("bursts",)),
    "web-push": ("fine", ("idle",)),
}
"""By group: its headline between the last slot and the one 300 s before, and its open findings over
time; the others are fine, whatever their members did an hour before.
"""


@pytest.fixture(scope="module")
def slots():
    return instants(PLACE, NAME)


def test_it_is_at_most_three_megabytes():
    assert sum(each.size for each in PLACE.found()) <= 3_000_000


def test_it_has_a_day_of_slots_of_a_minute_and_ends_at_its_now(slots):
    assert slots.axis.time.size == 24 * 60 + 1
    assert slots.axis.time[-1] - slots.axis.time[0] == 86_400
    assert slots.batches[-1].batch == "example-20261127T140200Z"


def test_the_script_writes_the_stored_rows(slots):
    days = days_of()

    for slot in (0, DAY - 33, DAY):
        for name, rows in tables_of(days, slot).items():
            stored = store.table(PLACE, slots.batches[slot].batch, name)
            assert _sorted(stored) == _sorted(rows.cast(stored.schema))


def _sorted(rows):
    return sorted(map(repr, rows.to_pylist()))


def test_each_group_is_diagnosed_as_the_cause_that_it_was_built_for(slots):
    keys = [GroupKey(group.name, None) for group in GROUPS]
    before, now = (
        stored_readings_of_all(PLACE, slots.axis.batch[row], keys, Budget()) for row in (-6, -1)
    )

    answers = [
        diagnosed(between(first.now, later), Context(cluster=NAME))
        for first, later in zip(before, now, strict=True)
    ]

    assert {answer.names.group_id: answer.code for answer in answers} == {
        group.name: CODES.get(group.name, FINE)[0] for group in GROUPS
    }


def test_each_group_has_the_findings_over_time_that_it_was_built_for(slots):
    stored = StoredSnapshots(PLACE, NAME, slots)

    findings = {
        group: tuple(
            sorted(
                each.code
                for each in findings_of(evidence, group, FindingSettings(), NAME)
                if each.is_open and each.is_shown
            )
        )
        for group, evidence in stored.evidence_of(())
    }

    assert findings == {group.name: CODES.get(group.name, FINE)[1] for group in GROUPS}


@pytest.mark.parametrize(("group", "count"), [("notifier", 6), ("feature-store", 5)])
def test_a_setting_that_avoids_rebalances_is_a_remedy(slots, group, count):
    (now,) = stored_readings_of_all(PLACE, slots.axis.batch[-1], [GroupKey(group, None)], Budget())
    past = cluster_pasts(PLACE, NAME, slots, [group])[group]

    remedies = diagnosed(now, Context(cluster=NAME, past=past)).remedies

    assert [each.why for each in remedies if each.action == "setting"] == [
        f"a group.instance.id for each member would have avoided {count} of {count} rebalances"
    ]


def test_a_group_that_is_hours_behind_has_one_age_among_all_groups_and_alone(slots):
    listed = cluster_pasts(PLACE, NAME, slots)["crm-export"].outlook
    alone = group_past(PLACE, NAME, slots, "crm-export", 8)

    assert (listed.behind, listed.method) == (alone.outlook.behind, "interpolated")
    assert 5 * 3600 < listed.behind < 5 * 3600 + 120


def test_a_finding_that_began_before_the_last_day_is_dated_by_older_slots(slots, monkeypatch):
    monkeypatch.setattr("evenkeel.data.episodes.past.LENGTH", timedelta(hours=1))

    (left,) = group_past(PLACE, NAME, slots, "crm-export", 12).findings

    # The group left its topic at 09:02, five hours before the last slot.
    assert (slots.axis.time[-1] - left.episode.since, left.episode.is_least) == (5 * 3600, False)


def test_unread_records_that_are_deleted_grow_by_no_rate_and_have_no_forecast(slots):
    assert cluster_pasts(PLACE, NAME, slots, ["audit-sink"])["audit-sink"].outlook.is_losing
    history = history_in(PLACE, "audit-sink", last_of(slots, 60), NAME)
    assert now(history.series).is_losing
