"""One more verdict is its place, its rule and its words: lists, the Timeline, commands and gauges
take it from there.
"""

import json
import re
import time
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from evenkeel.assignors.timeline import verdicts
from evenkeel.dashboard.groups.verdicts import listed_verdicts
from evenkeel.dashboard.server.metrics import VerdictGauges
from evenkeel.dashboard.shell.cache import ALL
from evenkeel.data.commands.main import main
from evenkeel.data.group.tables import schemas
from evenkeel.data.lake.place import place_of
from evenkeel.data.live import for_pages
from evenkeel.data.pipeline import uploads
from evenkeel.data.timeline.answer import group_rows
from evenkeel.data.timeline.lines import verdict_lines
from evenkeel.data.timeline.words import WORDS, VerdictWords
from tests.dashboard.conftest import ENTRY, AppTest, Page
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, plan_with_trouble
from tests.waiting import until

LOST = VerdictWords("nothing was ever read", "bad", "☠", "skull", "M0 0H12V12Z")


@pytest.fixture(autouse=True)
def lake(tmp_path, monkeypatch):
    """Three groups, the first with a stalled member, whose partitions are lost by one more rule."""
    verdicts.VERDICTS.append("LOST")
    verdicts.RULES.insert(1, ("LOST", lambda seen: seen.is_stuck & seen.is_owned & (seen.lag > 0)))
    monkeypatch.setitem(WORDS, "LOST", LOST)
    monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path / "lake"))
    write_lake(
        place_of(tmp_path / "lake"), plan_with_trouble(groups=3, partitions=4, members=2, days=0.05)
    )
    ALL.clear()
    yield tmp_path / "lake"
    verdicts.VERDICTS.pop()
    verdicts.RULES.pop(1)
    ALL.clear()


@pytest.fixture
def page(tmp_path, monkeypatch):
    (tmp_path / "evenkeel.toml").write_text(
        f'[clusters.{CLUSTER}]\n"bootstrap.servers" = "127.0.0.1:1"\n'
    )
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
    row = dict.fromkeys(schemas.GROUPS.names) | {
        "group_type": "classic",
        "state": "Stable",
        "member_count": 2,
        "partition_count": 4,
    }
    rows = [
        row | {"group_id": f"group-000{number}", "lag": 700, "max_lag": 700, "unknown_lag_count": 0}
        for number in range(3)
    ]
    monkeypatch.setattr(
        for_pages,
        "groups_of",
        lambda name: schemas.GROUPS.empty_table().from_pylist(rows, schema=schemas.GROUPS),
    )
    # No page of these tests reads a listing.
    monkeypatch.setattr(uploads, "start", lambda: None)
    return Page(AppTest.from_file(ENTRY, default_timeout=300))


def listed():
    return until(lambda: (found := listed_verdicts(CLUSTER)).groups is not None and found).groups


def history(lake, *arguments) -> int:
    last = "2026-11-02T02:00:00Z"
    return main(["history", "--lake", str(lake), "--group", "group-0000", "--to", last, *arguments])


def test_the_timeline_shows_it_in_its_line_and_among_its_events(page):
    page.open("timeline", cluster=CLUSTER, group="group-0000")

    events = page.component("lines")["lines"]
    lost = next(one for one in events if one["word"] == "LOST")
    assert (lost["sign"], lost["tone"], lost["text"]) == ("☠", "bad", "Nothing was ever read.")


def test_the_command_names_it_in_text_and_json_and_a_condition_can_ask_for_it(lake, capsys):
    assert history(lake) == 0
    text = capsys.readouterr().out
    assert text.startswith("group-0000: LOST at ")
    assert "went from OK to LOST: " in text
    assert ", nothing was ever read." in text

    assert history(lake, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["verdict"], found["lasting_verdict"]) == ("LOST", "LOST")
    assert {"OK", "LOST"} == {one["verdict"] for one in found["members"]}

    assert history(lake, "--quiet", "--fail-if", "verdict >= LOST") == 1
    assert "LOST since " in capsys.readouterr().err
    assert history(lake, "--quiet", "--fail-if", "verdict > LOST") == 0


def test_the_lines_and_objects_of_all_groups_begin_with_it():
    rows = group_rows(listed(), time.time())

    assert [row["lasting_verdict"] for row in rows][0] == "LOST"
    assert verdict_lines(rows)[1].split()[:2] == ["group-0000", "LOST"]


def test_the_gauge_has_its_number_and_says_which_it_is():
    listed()
    registry = CollectorRegistry()
    registry.register(VerdictGauges())

    text = generate_latest(registry).decode()

    assert "0 OK, 1 SLOW, 2 REWIND, 3 STALL, 4 STOP, 5 STUCK, 6 LOST" in text
    assert re.search(r'evenkeel_group_verdict\{cluster="simulated",group="group-0000"\} 6\.0', text)


def test_every_verdict_has_a_rule_and_words_in_the_order_of_the_page():
    names = set(verdicts.VERDICTS)

    assert {name for name, _ in verdicts.RULES} == names == set(WORDS)
    assert [name for name in WORDS if name != "LOST"] == verdicts.VERDICTS[-2::-1]


def test_the_documentation_names_the_order_and_the_numbers():
    text = (Path(__file__).parent.parent / "docs/history.md").read_text()

    assert f"({' < '.join(verdicts.VERDICTS[:-1])})" in text
    assert f"From the worst: {', '.join(verdicts.VERDICTS[-2::-1])}." in text
