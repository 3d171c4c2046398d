"""Every place says the same of a group whose history shows what is wrong: home, Overview, share,
report and command.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

import pytest

from evenkeel.dashboard.shell.cache import ALL
from evenkeel.dashboard.shell.loading import episodes
from evenkeel.dashboard.shell.loading.diagnoses import summaries
from evenkeel.data.lake.place import place_of
from evenkeel.data.lake.slots.slot_batches import slot_batch
from tests.dashboard.pages.test_one_voice import frozen, in_report
from tests.generated.written_slots import DAY, write_slot
from tests.waiting import until

pytestmark = pytest.mark.usefixtures("cookies")

CLUSTER = "c"
COUNT = 40
LAST, BEFORE = (slot_batch(CLUSTER, int(DAY.timestamp()) + 30 * (COUNT - back)) for back in (1, 11))


class Story(NamedTuple):
    """Offsets of partitions 0 and 1 by slot: begin, commit, end and last stable offset of the
    first one; the second one is read to its end. `owner`: of the first one.
    """

    code: str
    sentence: str
    since: str
    begin: Callable[[int], int] = lambda slot: 0
    commit: Callable[[int], int | None] = lambda slot: 10_000 + 300 * slot
    stable: int | None = None
    owner: str | None = "pay-a-1"
    members: Callable[[int], tuple[str, ...]] = lambda slot: ("pay-a-1", "pay-b-1")
    subscribed: tuple[str, ...] = ("orders",)
    retention: int | None = None


def _end(slot: int) -> int:
    return 10_000 + 300 * slot


STORIES = [
    Story(
        "blocked",
        "A transaction is open on orders-0: nobody who reads committed records alone gets past offset 13,000.",
        "00:05:00",
        commit=lambda slot: min(_end(slot), 13_000),
        stable=13_000,
    ),
    Story(
        "lost",
        "At least 2,000 records of orders-0 were deleted before pay read them: nobody reads it.",
        "00:15:00",
        begin=lambda slot: 15_000 if slot >= 30 else 0,
        commit=lambda slot: min(_end(slot), 13_000),
        owner=None,
    ),
    Story(
        "unread",
        "orders-0 has no owner: 8,700 of the group's 8,700 records wait there and nobody reads them.",
        "00:05:00",
        commit=lambda slot: min(_end(slot), 13_000),
        owner=None,
    ),
    Story(
        "stalled",
        "pay-a (10.0.0.1) has read nothing in 300 s: 8,700 records wait on 1 partition while others move on.",
        "00:05:00",
        commit=lambda slot: min(_end(slot), 13_000),
    ),
]


def _write(lake, story: Story) -> None:
    place = place_of(lake)
    for slot in range(COUNT):
        end = _end(slot)
        offsets = [
            {
                "group_id": "pay",
                "topic": "orders",
                "partition": partition,
                "begin_offset": story.begin(slot) if partition == 0 else 0,
                "committed_offset": story.commit(slot) if partition == 0 else end,
                "end_offset": end,
                "stable_offset": story.stable if partition == 0 else None,
                "member_id": owner,
                "client_id": owner and owner[:5],
                "host": owner and f"/10.0.0.{1 + (owner == 'pay-b-1')}",
            }
            for partition, owner in enumerate((story.owner, "pay-b-1"))
        ]
        members = [
            {
                "group_id": "pay",
                "group_state": "Stable",
                "member_id": name,
                "client_id": name[:5],
                "host": f"/10.0.0.{1 + (name == 'pay-b-1')}",
                "generation": 1,
                "member_order": row,
                "subscribed": list(story.subscribed),
            }
            for row, name in enumerate(story.members(slot))
        ]
        topics = [
            {
                "topic": "orders",
                "partition_count": 2,
                "cleanup_policy": "delete",
                "retention_ms": story.retention,
                "retention_bytes": -1,
                "segment_ms": 604_800_000,
                "segment_bytes": 1 << 30,
            }
        ]
        write_slot(place, slot, offsets, members, CLUSTER, topics if story.retention else ())


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.code)
def test_home_overview_share_and_report_say_one_sentence_and_since_when(page, lake, story):
    _write(lake, story)
    ALL.clear()
    assert until(lambda: episodes.pasts(CLUSTER).batch)

    (summary,) = summaries(LAST, BEFORE)
    opened = page.open("overview", opened=LAST, place="1").component("what")["what"]
    share_id = frozen(LAST)

    assert (summary.code, summary.sentence) == (story.code, story.sentence)
    assert opened["sentence"] == story.sentence
    assert in_report(share_id) == story.sentence
    assert datetime.fromtimestamp(summary.since, UTC).strftime("%H:%M:%S") == story.since
    assert opened["details"][0] == f"Since {story.since[:5]}."
