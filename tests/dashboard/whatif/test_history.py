"""What-if of a group with a history: when each step is drained, and what a share keeps of it."""

from datetime import timedelta

import msgspec
import pytest

from evenkeel.assignors.diagnosis.finding import GAIN
from evenkeel.dashboard.shares.loading import frozen as sharing
from evenkeel.dashboard.shares.loading.opened import open_share
from evenkeel.dashboard.shell.cache import ALL
from evenkeel.dashboard.shell.loading import speeds
from evenkeel.dashboard.shell.loading.views import begun, view
from evenkeel.dashboard.shell.loading.walks import walked
from evenkeel.dashboard.view import OpenGroup
from evenkeel.dashboard.whatif import loading
from evenkeel.dashboard.whatif.loading import Restart
from evenkeel.data.lake.place import place_of
from evenkeel.data.lake.store import batches
from evenkeel.data.scenarios.edits.add_members import AddMembers
from evenkeel.data.scenarios.edits.remove_members import RemoveMembers
from evenkeel.data.scenarios.run.step_drains import COMING
from evenkeel.data.scenarios.scenario.draft import Draft, NamedSteps, draft_of, text_of
from evenkeel.data.scenarios.scenario.scenario import Step
from evenkeel.data.shares.redaction import KINDS
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import plan_with_stall

STEPS = [
    Step(edits=[RemoveMembers(member_ids=["member-3-4b1e"])]),
    Step(edits=[AddMembers(count=1, like="member-0-4b1e")]),
]


@pytest.fixture(scope="module")
def collected(tmp_path_factory):
    """An hour of two groups; in the first, one of four members read nothing for twenty minutes."""
    folder = tmp_path_factory.mktemp("whatif")
    write_lake(place_of(folder), plan_with_stall(40, 80, groups=2))
    return folder


@pytest.fixture
def lake(collected, monkeypatch):
    monkeypatch.setenv("EVENKEEL_LAKE", str(collected))
    return place_of(collected)


@pytest.fixture
def last(lake):
    return max(one.batch for one in batches(lake))


@pytest.fixture
def tab(page, last):
    return page.open(
        "whatif",
        opened=last,
        group="1",
        candidate="lag",
        steps=text_of(Draft([NamedSteps(None, STEPS)])),
    )


def drains(table) -> dict[str, str]:
    return {row["name"]: row["cells"][-1]["text"] for row in table["rows"]}


def test_every_step_says_when_each_answer_is_drained(tab):
    table = tab.component("candidate")

    assert not tab.app.exception
    assert not tab.errors
    assert (table["columns"][-1]["over"], table["columns"][-1]["label"]) == (
        "By history",
        "drained in",
    )
    assert set(drains(table)) >= {"range", "lag"}
    assert "–" not in drains(table).values()
    assert all(
        "Assumed: 1 new member can read at the median rate of the other members"
        in row["cells"][-1]["title"]
        for row in table["rows"]
    )


def test_the_group_as_listed_has_the_times_of_compare(tab):
    tab.app.button(key="step-0").click().run()
    listed = drains(tab.component("candidate"))

    assert {
        name: cells[-1] for name, cells in tab.open("compare").table.items() if name != "current"
    } == listed


def test_time_passes_at_the_rates_of_the_history_which_stay_in_the_step(tab):
    tab.app.menu_button(key="what-if-add").click("advance").run()
    words = tab.app.selectbox(key="advance-rates-None").options
    tab.app.button(key="form-add").click().run()

    edit = draft_of(tab.address["steps"]).scenarios[0].steps[-1].edits[0]
    assert not tab.errors
    assert [word.split(" records/s in, ")[0][:8] for word in words] == [
        "last 4m ",
        "last 9m ",
        "last 19m",
    ]
    assert len(edit.in_rate["topic-0000"]) == 8
    assert "*" in edit.capacity
    assert edit.measured
    assert "1 hour passes at the rates until 00:59:31 UTC" in tab.html


def test_a_step_that_has_rates_keeps_them_where_its_seconds_change(tab):
    tab.app.menu_button(key="what-if-add").click("advance").run()
    tab.app.button(key="form-add").click().run()
    before = draft_of(tab.address["steps"]).scenarios[0].steps[-1].edits[0]

    tab.app.menu_button(key="step-menu").click("change 0").run()
    tab.app.number_input(key="advance-seconds-0").set_value(60.0)
    tab.app.button(key="form-add").click().run()

    assert draft_of(tab.address["steps"]).scenarios[0].steps[-1].edits == [
        msgspec.structs.replace(before, seconds=60.0)
    ]


def test_the_times_of_a_large_group_are_computed_behind_the_page_and_are_the_same(
    lake, last, monkeypatch
):
    group = OpenGroup(batch=last, group_id="group-0000")
    seen = view(group)
    walks = {name: walked(group, STEPS, name) for name in ("range", "lag")}
    at_once = loading.step_times(group, seen, STEPS, walks)

    ALL.clear()
    monkeypatch.setattr(loading, "AT_ONCE", 0)
    looks = [loading.step_times(group, seen, STEPS, walks)]
    while looks[-1].waiting and len(looks) < 100:
        looks.append(loading.step_times(group, seen, STEPS, walks))

    assert looks[-1] == at_once
    assert len(at_once.drains) == 3
    assert all(one.drains[0][name] is COMING for one in looks for name in one.waiting)


def test_a_group_that_keeps_up_does_not_show_what_its_members_can_read(lake, last, page):
    page.open("whatif", opened=last, group="2", candidate="lag")

    page.app.menu_button(key="what-if-add").click("advance").run()
    page.app.button(key="form-add").click().run()

    assert page.errors[0].startswith(
        "What each member reads: no member was behind in 3 windows of the history"
    )
    # Above the button that was pressed, where it is seen.
    assert [
        one.type
        for one in page.app.main
        if one.type == "error" or getattr(one, "key", "") == "form-add"
    ] == ["error", "button"]
    page.app.number_input(key="advance-capacity-None").set_value(500.0)
    page.app.button(key="form-add").click().run()
    edit = draft_of(page.address["steps"]).scenarios[0].steps[-1].edits[0]
    assert not page.errors
    assert edit.capacity == {"*": 500.0}
    assert len(edit.in_rate["topic-0001"]) == 8


def test_a_rolling_restart_says_what_piles_up_meanwhile(last, lake):
    opened = OpenGroup(batch=last, group_id="group-0000")
    start = begun(opened).own.observed
    # Each look waits a moment for what is computed behind the page.
    looks = (loading.costs(opened, {"range": start}, "", Restart()) for _ in range(100))

    (both,) = next(found for found, waiting in looks if not waiting).values()
    # About 160 records/s come into the eight partitions; eight rebalances stop them all for 3
    # seconds.
    assert both.now.partition_seconds == 8 * 8 * 3
    assert 0.5 * 160 * 24 < both.now.records < 1.5 * 160 * 24


@pytest.mark.parametrize("redact", [(), tuple(KINDS)])
def test_a_share_keeps_the_times_and_asks_no_history(lake, last, redact, monkeypatch):
    frozen = sharing.freezable(OpenGroup(batch=last, group_id="group-0000"), STEPS, GAIN)
    facts = {
        "title": "one fewer",
        "note": "",
        "author": "",
        "keep": timedelta(days=1),
        "owner": None,
        "forked_from": None,
    }
    made = sharing.freeze(frozen, redact=redact, **facts)
    monkeypatch.setattr(speeds, "readings", None)

    share = open_share(made.share_id, None)

    assert frozen.result.drains
    assert share.was is None
    kept = [{name: step.drain for name, step in answers.items()} for answers in share.figures]
    assert [{name: one[1:] for name, one in step.items()} for step in kept] == [
        {name: one[1:] for name, one in step.items()} for step in frozen.result.drains
    ]
    assert all(
        step[name].drain.band == one.drain.band
        for step, found in zip(kept, frozen.result.drains, strict=False)
        for name, one in found.items()
    )
