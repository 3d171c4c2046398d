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


def _end(slot: int) -> int:
    return 10_000 + 300 * slot


def _stands(slot: int) -> int:
    return min(_end(slot), 13_000)


class Story(NamedTuple):
    """A group of two partitions by slot: begin, commit, and last stable offset of the first one;
    the second one is read to its end.
    """

    code: str
    sentence: str
    since: str
    begin: Callable[[int], int] = lambda slot: 0
    commit: Callable[[int], int] = _end
    stable: int | None = None
    owners: Callable[[int], tuple[str | None, str]] = lambda slot: ("pay-a", "pay-b")
    topic: str = "orders"
    segments: int = 604_800_000
    settings: str = ""


STORIES = [
    Story(
        "lost",
        "At least 2,000 records of orders-0 were deleted before pay read them: nobody reads it.",
        "00:15:00",
        begin=lambda slot: 15_000 if slot >= 30 else 0,
        commit=_stands,
        owners=lambda slot: (None, "pay-b"),
    ),
    # The next record is of 00:05; an hour, a segment and a check later it is 01:20.
    Story(
        "loses",
        "orders-0 loses unread records within 1 h: pay-a does not read it.",
        "00:05:00",
        commit=_stands,
        segments=600_000,
    ),
    Story(
        "blocked",
        "A transaction is open on orders-0: readers with isolation.level=read_committed cannot pass"
        " offset 13,000.",
        "00:05:00",
        commit=_stands,
        stable=13_000,
    ),
    Story(
        "unread",
        "orders-0 has no owner: 8,700 records wait there and nobody reads them.",
        "00:05:00",
        commit=_stands,
        owners=lambda slot: (None, "pay-b"),
    ),
    Story(
        "stalled",
        "pay-a (10.0.0.1) has read nothing in 300 s: 8,700 records wait on 1 partition while others"
        " move on.",
        "00:05:00",
        commit=_stands,
    ),
    # A lag that never drains is explained by the slow member. Slot 6, of 00:03:00, is the first
    # with lag. Of its ten slots the last five are above the first five, with 500 more in the
    # middle, over the 300 of a slot. At the tenth 900 have grown by 100 in 30 s: for 270 s, from
    # 00:07:30 back to 00:03:00.
    Story(
        "slow_member",
        "pay-a (10.0.0.1) reads too slowly: 3,400 on its partition, at most 0 on the other.",
        "00:03:00",
        commit=lambda slot: _end(slot) - 100 * max(slot - 5, 0),
    ),
    Story(
        "over_slo",
        "orders-0 is 1m 30s late, over the objective of 1 m.",
        "00:01:30",
        commit=lambda slot: _end(slot) - 900 if slot >= 3 else 10_000,
        settings='[findings]\nslo = {pay = "1m"}\n',
    ),
    Story(
        "unstable",
        "pay-a left and came back 4 times, every 4 m.",
        "00:04:00",
        owners=lambda slot: (None if slot in (8, 16, 24, 32) else "pay-a", "pay-b"),
    ),
    Story(
        "bursts",
        "pay rebalances again and again: members or owners changed at 6 readings.",
        "00:15:00",
        owners=lambda slot: ("pay-b", "pay-a") if slot in (30, 32, 34) else ("pay-a", "pay-b"),
    ),
    # The last commit is of 00:05:00; the first slot in which it does not move is of 00:05:30.
    Story(
        "left",
        "No member of pay subscribes to audit any more: 8,700 records of 1 partition are left"
        " there.",
        "00:05:30",
        commit=_stands,
        owners=lambda slot: (None, "pay-b"),
        topic="audit",
    ),
]


def _write(lake, story: Story) -> None:
    for slot in range(COUNT):
        end, owners = _end(slot), story.owners(slot)
        topics = [story.topic, "orders"]
        offsets = [
            {
                "group_id": "pay",
                "topic": topics[row],
                "partition": row if story.topic == "orders" else 0,
                "begin_offset": story.begin(slot) if row == 0 else 0,
                "committed_offset": end if row else story.commit(slot),
                "end_offset": end,
                "stable_offset": None if row else story.stable,
                **_member(owners[row]),
            }
            for row in (0, 1)
        ]
        head = {"group_id": "pay", "group_state": "Stable", "generation": 1}
        members = [
            {**head, **_member(name), "member_order": row, "subscribed": ["orders"]}
            for row, name in enumerate(sorted({name for name in owners if name}))
        ]
        settings = {
            "partition_count": 2,
            "cleanup_policy": "delete",
            "retention_ms": 3_600_000,
            "retention_bytes": -1,
            "segment_ms": story.segments,
        }
        rows = [{"topic": topic, **settings} for topic in dict.fromkeys(topics)]
        write_slot(place_of(lake), slot, offsets, members, CLUSTER, rows)


def _member(name: str | None) -> dict[str, str | None]:
    if name is None:
        return dict.fromkeys(("member_id", "client_id", "host"))
    host = {"pay-a": "/10.0.0.1", "pay-b": "/10.0.0.2"}[name]
    return {"member_id": f"{name}-1", "client_id": name, "host": host}


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.code)
def test_home_overview_share_and_report_say_one_sentence_and_since_when(
    page, lake, story, monkeypatch
):
    (lake / "evenkeel.toml").write_text(
        f'[clusters.{CLUSTER}]\n"bootstrap.servers" = "127.0.0.1:1"\n{story.settings}'
    )
    monkeypatch.setenv("EVENKEEL_CONFIG", str(lake / "evenkeel.toml"))
    _write(lake, story)
    ALL.clear()
    assert until(lambda: episodes.pasts(CLUSTER).batch)

    (summary,) = summaries(LAST, BEFORE)
    opened = page.open("overview", opened=LAST, place="1").component("what")["what"]
    share_id = frozen(LAST)
    home = page.anew().open("start", cluster=CLUSTER, topic=story.topic)

    assert (summary.code, summary.sentence) == (story.code, story.sentence)
    assert opened["sentence"] == story.sentence
    assert story.sentence in (home.findings["pay"] if story.code != "left" else story.sentence)
    assert in_report(share_id) == story.sentence
    assert datetime.fromtimestamp(summary.since, UTC).strftime("%H:%M:%S") == story.since
    assert opened["details"][0] == f"Since {story.since[:5]}."
