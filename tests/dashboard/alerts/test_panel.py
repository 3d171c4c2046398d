"""Alerts on home: who was told, what rules would have told in a week, and the rule of the form."""

import re
import tomllib
from datetime import UTC, datetime, timedelta

import pytest

from evenkeel.dashboard.shell.cache import ALL
from evenkeel.data import clock
from evenkeel.data.alerts.ledger import REFUSED, SENT, START, Intent, Ledger
from evenkeel.data.lake.place import place_of
from tests.dashboard.conftest import unescaped
from tests.generated import collector_plan
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, plan_with_trouble


@pytest.fixture
def cluster(lake, monkeypatch):
    """Half an hour of three groups: group-0000 has a stalled member for the last 20 minutes."""
    (lake / "evenkeel.toml").write_text(
        f'[clusters.{CLUSTER}]\n"bootstrap.servers" = "127.0.0.1:1"\n'
        '[[alerts]]\nname = "losses"\nfindings = ["critical"]\n'
        '[[alerts]]\nname = "on call"\nfindings = ["stalled"]\ngroups = ["*", "!*/group-0001"]\n'
        'webhook = {url = {env = "HOOK"}, form = "teams"}\n'
    )
    monkeypatch.setenv("EVENKEEL_CONFIG", str(lake / "evenkeel.toml"))
    plan = plan_with_trouble(groups=3, partitions=4, members=2, days=0.02)
    last = datetime.now(UTC).replace(microsecond=0) - timedelta(seconds=60)
    monkeypatch.setattr(
        collector_plan, "BEGIN", last - timedelta(seconds=30 * (plan.slot_count - 1))
    )
    write_lake(place_of(lake), plan)
    ALL.clear()
    yield CLUSTER
    ALL.clear()


def opened(page, cluster):
    page.open("start", cluster=cluster)
    page.app.button(key="alerts").click().run()
    page.until(lambda: "alerts-table" in page.html)
    return page


def captions(page) -> str:
    return " ".join(unescaped(each.value) for each in page.app.caption)


def choose(page, rule: str):
    page.app.selectbox(key="alerts-rule").select(rule).run()


def test_alerts_are_closed_until_their_button_is_pressed(page, cluster):
    page.open("start", cluster=cluster)

    assert "alerts-table" not in page.html
    assert not page.app.code


def test_a_rule_says_how_often_it_would_have_told_in_the_week_and_lag_beside_it(page, cluster):
    opened(page, cluster)

    assert "Would have sent nothing this week." in captions(page)
    choose(page, "on call")
    assert "Would have sent 1 message this week: " in captions(page)
    assert " group-0000, still open. lag > 1,000 would have sent " in captions(page)
    assert "stalled, *, !*/group-0001" in page.html


def test_a_rule_is_shown_as_the_toml_that_it_is(page, cluster):
    opened(page, cluster)
    choose(page, "on call")

    assert tomllib.loads(page.app.code[0].value)["alerts"] == [
        {
            "name": "on call",
            "findings": ["stalled"],
            "groups": ["*", "!*/group-0001"],
            "webhook": {"url": {"env": "HOOK"}, "form": "teams"},
        }
    ]


def test_the_head_says_of_whom_somebody_was_told_by_the_ledger(page, cluster, lake):
    ledger = Ledger(place_of(lake), cluster, "on call")
    ledger.intend("x@1", START, Intent({"group": "group-0000"}, clock.seconds()))
    ledger.settle(ledger.entries()[0], SENT)
    ledger.intend("y@1", START, Intent({"group": "group-0000"}, clock.seconds()))
    ledger.settle(ledger.entries()[1], REFUSED, "the answer is 404")

    opened(page, cluster)

    head = next(each.value for each in page.app.markdown if each.value.startswith("**Alerts**"))
    sent = r"Sent for 1 of \d groups? with an open warning: group-0000 \d\d:\d\d\."
    assert re.search(rf"{sent} Not sent: group-0000 \(the answer is 404\)\.", unescaped(head)), head


def test_the_form_tests_a_rule_and_writes_nothing(page, cluster, lake):
    before = sorted(lake.rglob("*"))
    opened(page, cluster)

    page.app.multiselect[0].set_value(["stalled"])
    form = {each.label: each for each in page.app.text_input}
    form["Groups"].set_value("*/group-0000")
    form["For"].set_value("5m")
    next(each for each in page.app.button if each.label == "Test it").click().run()
    page.until(lambda: "Would have sent 1 message" in captions(page))

    (rule,) = tomllib.loads(page.app.code[0].value)["alerts"]
    assert (rule["name"], rule["for"], rule["groups"]) == ("yours", "300s", ["*/group-0000"])
    assert sorted(lake.rglob("*")) == before


def test_a_length_that_is_none_is_named(page, cluster):
    opened(page, cluster)

    form = {each.label: each for each in page.app.text_input}
    form["For"].set_value("soon")
    next(each for each in page.app.button if each.label == "Test it").click().run()

    assert any("'soon' is not a duration" in each.value for each in page.app.error)


def test_a_week_that_is_too_large_for_a_page_gets_its_command(page, cluster, monkeypatch):
    monkeypatch.setattr("evenkeel.dashboard.alerts.loading.MOST_CELLS", 10)
    page.open("start", cluster=cluster)
    page.app.button(key="alerts").click().run()

    commands = [each.value for each in page.app.code]
    assert any(
        each.startswith(f"evenkeel alerts test --cluster {cluster} --from") for each in commands
    )
