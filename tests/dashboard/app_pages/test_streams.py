"""Streams: instances, tasks and the rounds until they are balanced."""

import json

from data.scenarios.streams_examples import SAMPLES


def instances(page) -> dict[str, dict]:
    """The rows of the tile grid by name."""
    found = next(each for each in page.app.get("bidi_component") if "Tasks of each instance" in each.proto.json)
    return {row["name"]: row for part in json.loads(found.proto.json)["parts"] for row in part["instances"]}


def held(page, instance: str, column: str) -> list[str]:
    lines = instances(page)[instance]["lines"]
    return [f"{tile['task']} {tile['kind']}" for line in lines for tile in line["cells"][column]["tiles"]]


def test_without_an_application_the_page_says_what_it_is_for_and_opens_an_example(page):
    page.open("streams")
    assert "No Kafka Streams application is open" in page.app.subheader[0].value

    page.app.button(key="empty-streams-kip-441").click().run()

    assert page.address["sample"] == "kip-441"
    assert page.kpis["Balanced"] == "No"


def test_an_unknown_example_is_refused_with_those_that_there_are(page):
    page.open("streams", sample="kip-4")

    assert "kip\\-441, orders\\-enrich" in page.app.warning[0].value


def test_a_new_instance_warms_up_two_tasks_while_their_owners_work_on(page):
    page.open("streams", sample="kip-441")

    assert {label: page.kpis[label] for label in ("Warm-ups in flight", "Rounds to balance", "Time to balance")} == {
        "Warm-ups in flight": "2",
        "Rounds to balance": "2",
        "Time to balance": "20 m",
    }
    assert held(page, "kip-441-3", "active") == []
    assert held(page, "kip-441-3", "warmup") == ["0_2 warmup", "0_3 warmup", "0_5 waits"]
    assert "0_2 moving" in held(page, "kip-441-1", "active")


def test_a_later_round_is_in_the_address_and_shows_what_came_and_left(page):
    page.open("streams", sample="kip-441", round="1")

    assert held(page, "kip-441-3", "active") == ["0_2 came"]
    assert held(page, "kip-441-1", "active")[-1] == "0_2 left"
    assert page.address["round"] == "1"


def test_another_assignor_moves_tasks_at_once(page):
    page.open("streams", sample="kip-441", assignor="legacy-sticky")

    assert any(tile.endswith("restoring") for tile in held(page, "kip-441-3", "active"))
    assert page.kpis["Balanced"] == "Yes"


def test_a_pasted_streams_document_opens_here_and_keeps_its_address(page):
    page.paste((SAMPLES / "kip-441.json").read_text())
    page.open("streams")

    assert page.kpis["Time to balance"] == "20 m"
    assert held(page, "kip-441-3", "warmup") == ["0_2 warmup", "0_3 warmup", "0_5 waits"]

    other = page.anew().open("streams", **page.address)
    assert other.kpis == page.kpis


def test_pages_of_consumer_groups_lead_from_an_application_to_this_page(page):
    page.open("compare", sample="kip-441")

    assert "is a Kafka Streams application" in page.app.subheader[0].value
    assert not page.app.get("plotly_chart")


def test_a_consumer_group_is_no_application(page):
    page.open("streams", sample="one-hot-partition")

    assert page.app.subheader[0].value == "This group is no Kafka Streams application"


def test_the_start_page_opens_a_streams_example(page):
    page.open("start")
    page.app.button(key="open-kip-441").click().run()
    page.open("streams")

    assert page.kpis["Rounds to balance"] == "2"
