"""Groups that are too large for a page, and those that are compared in a process of their own."""

import json
import subprocess
import time
from pathlib import Path

import pytest

from evenkeel.dashboard.shell import apart, cache
from evenkeel.dashboard.shell.loading import stored_groups
from evenkeel.data import own_process as processes
from evenkeel.data.group.budget import Budget
from evenkeel.data.group.document import FORMAT
from evenkeel.data.scenarios.scenario.scenario import Settings
from evenkeel.data.scenarios.stored_groups import StoredGroup, answered_group

TEN_MILLION = json.dumps(
    {
        "format": FORMAT,
        "topics": [{"name": "t", "partitions": 10_000_000}],
        "members": [{"member_id": "a", "subscribed": ["t"]}],
    }
)


def document(partition_count: int, member_count: int = 3) -> str:
    members = [
        {
            "member_id": f"m-{place}",
            "subscribed": ["t"],
            "owned": {"t": list(range(place, partition_count, member_count))},
        }
        for place in range(member_count)
    ]
    topic = {
        "name": "t",
        "partitions": [{"lag": 7 * number % 1_000} for number in range(partition_count)],
    }
    return json.dumps(
        {"format": FORMAT, "group_id": "large", "topics": [topic], "members": members}
    )


def resident_mb() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


def test_few_bytes_that_stand_for_ten_million_partitions_are_refused_and_leave_nothing_behind(page):
    page.open("compare", sample="one-hot-partition")
    before, begin = resident_mb(), time.process_time()

    for _ in range(5):
        other = page.anew().paste(TEN_MILLION)
        assert not other.app.exception
        assert [
            text
            for text in other.errors
            if "10,000,000 partitions" in text and "evenkeel compare" in text
        ]

    assert resident_mb() - before < 100
    assert time.process_time() - begin < 30
    assert cache.ALL.byte_count < 50_000_000


def test_a_large_group_is_compared_apart_and_looks_as_one_that_is_compared_here(page, monkeypatch):
    text = document(300)
    here = page.paste(text).open("compare")
    cache.ALL.clear()
    begun = []
    monkeypatch.setattr(stored_groups, "AT_ONCE_BYTES", 1_000)
    monkeypatch.setattr(
        processes.subprocess,
        "Popen",
        lambda *args, **kwargs: begun.append(args) or POPEN(*args, **kwargs),
    )

    there = page.anew().paste(text).open("compare")

    assert not there.app.exception
    assert len(begun) == 1
    assert (there.table, there.kpis) == (here.table, here.kpis)


POPEN = subprocess.Popen


def test_a_comparison_is_stopped_when_its_session_ends(page, lake, monkeypatch):
    page.paste(document(300))
    (home,) = (lake / "imports").iterdir()
    running = []
    monkeypatch.setattr(
        processes.subprocess,
        "Popen",
        lambda *args, **kwargs: running.append(POPEN(*args, **kwargs)) or running[-1],
    )

    def closed():
        raise InterruptedError

    monkeypatch.setattr(cache, "get_run_yield_check", lambda: closed)

    with pytest.raises(InterruptedError):
        apart.run(
            apart.limits(),
            answered_group,
            StoredGroup(lake, home.name, "large", None, Budget()),
            Settings(),
        )

    assert running[0].returncode == -9


def test_a_third_large_group_waits_says_its_place_and_leaves_the_queue_with_its_session(
    page, lake, monkeypatch, wait_for_rest
):
    page.paste(document(300))
    (home,) = (lake / "imports").iterdir()
    monkeypatch.setattr(cache, "get_run_yield_check", lambda: turned_away)
    told = []
    monkeypatch.setattr(
        processes.subprocess, "Popen", lambda *_, **__: pytest.fail("a second one is begun")
    )

    with apart.Turn(), apart.Turn(), cache.telling(told.append), pytest.raises(InterruptedError):
        apart.run(
            apart.limits(),
            answered_group,
            StoredGroup(lake, home.name, "large", None, Budget()),
            Settings(),
        )
    assert (told, apart.Turn._all) == ([1], [])


def turned_away():
    raise InterruptedError
