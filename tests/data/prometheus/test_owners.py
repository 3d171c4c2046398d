"""Members of now in slots of a store: a replay over a past that recorded none."""

from contextlib import closing
from datetime import timedelta

import numpy as np
import pytest

from evenkeel.data.best.request import history_rates
from evenkeel.data.configuration.clusters import profile_of
from evenkeel.data.lake.history.history import history_in
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.history.recent import last_of
from evenkeel.data.lake.place import place_of
from evenkeel.data.prometheus.owners import with_assumed_owners
from evenkeel.data.prometheus.past import Past, with_past
from evenkeel.data.scenarios.stored_groups import group_at
from evenkeel.data.timeline.replayed_history import replayed
from tests.generated.scraped import GAP, GROUP, MINUTES, scraped
from tests.generated.written_slots import DAY, members_of, write_slot
from tests.services.stores import answers_of, serving

END = DAY + timedelta(hours=6)
LAST = 6 * 120
"""The slot of the lake, at 06:00."""


@pytest.fixture
def past(tmp_path, monkeypatch):
    """The history of a group whose last slot alone is of the lake: A owns partition 0, B 1."""
    lake = place_of(tmp_path / "lake")
    offsets = [
        {
            "group_id": GROUP,
            "topic": "orders",
            "partition": partition,
            "begin_offset": 0,
            "committed_offset": 72_000,
            "end_offset": 72_400,
            "member_id": member,
        }
        for partition, member in enumerate("AB")
    ]
    write_slot(lake, LAST, offsets, members_of(GROUP))
    with serving(answers_of(scraped(END))) as served:
        (tmp_path / "evenkeel.toml").write_text(
            '[clusters.c]\n"bootstrap.servers" = "b:9092"\n'
            f'[clusters.c.history]\nprometheus = "{served.url}"\n'
        )
        monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
        with closing(Past(profile_of("c"))) as store:
            place = with_past(lake, store, GROUP, END - timedelta(hours=3), END).place
    return place, instants(place, "c")


def now(place, found):
    return group_at(place, found.axis.batch[-1], GROUP)


def test_slots_of_a_store_get_the_owners_of_now_and_stay_known_as_assumed(past):
    place, found = past
    series = history_in(place, GROUP, found, "c").series

    assumed = with_assumed_owners(series, now(place, found))

    owners = [assumed.member_id[owner] for owner in assumed.owner[0]]
    assert owners == ["A", "B"]
    assert assumed.is_member.all()
    assert assumed.has_owners.tolist() == [False] * (series.slot_count - 1) + [True]


def test_a_replay_reaches_into_the_past_with_the_members_of_now(past):
    place, found = past
    history = history_in(place, GROUP, found, "c")

    table = replayed(place, history, ["range"], now(place, found))
    without = replayed(place, history, ["range"])

    # A scrape is a slot; the one of 06:00:00.25 belongs to the slot of the lake.
    assert table.num_rows == MINUTES - len(GAP)
    assert without.num_rows == 1
    lags = dict(zip(table["assignor"][0].as_py(), table["max_lag"][0].as_py(), strict=True))
    assert lags == {"current": 5, "range": 5}
    # B's partition makes no progress from 05:01 on: 118 * 600 + 1,000 minus 60 * 600 + 995.
    assert table["max_lag"][-2].as_py()[0] == 34_805


def test_rates_of_a_past_are_known_and_not_what_a_member_can_read_that_reads_nothing(past):
    place, found = past
    last = last_of(found, 40)
    series = with_assumed_owners(history_in(place, GROUP, last, "c").series, now(place, found))

    rates = history_rates(now(place, found).snapshot, series)

    # 600 records a minute, in thousandths a second.
    assert np.abs(rates.arriving - 10_000).max() < 200
    assert rates.capacity is None
