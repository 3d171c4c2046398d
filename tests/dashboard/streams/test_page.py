"""Streams: instances, tasks and the rounds until they are balanced."""

import hashlib
import json

from evenkeel.dashboard.shell.loading import applications
from evenkeel.data.scenarios.application_edits.add_processes import AddProcesses
from evenkeel.data.scenarios.application_edits.remove_processes import RemoveProcesses
from evenkeel.data.scenarios.application_edits.return_processes import ReturnProcesses
from evenkeel.data.scenarios.application_edits.set_settings import SetSettings
from evenkeel.data.scenarios.scenario.draft import draft_of_application, text_of_steps
from evenkeel.data.scenarios.scenario.scenario import Step
from evenkeel.data.sources.examples.worked_examples import SAMPLES
from tests.waiting import until


def instances(page) -> dict[str, dict]:
    """The rows of the tile grid by name."""
    found = next(
        each
        for each in page.app.get("bidi_component")
        if "Tasks of each instance" in each.proto.json
    )
    return {
        row["name"]: row
        for part in json.loads(found.proto.json)["parts"]
        for row in part["instances"]
    }


def held(page, instance: str, column: str) -> list[str]:
    lines = instances(page)[instance]["lines"]
    return [
        f"{tile['task']} {tile['kind']}"
        for line in lines
        for tile in line["cells"][column]["tiles"]
    ]


def whole(page):
    """The page once no round is still computed: another process may need the machine."""
    until(lambda: "still computed" not in page.html or not page.app.run())
    return page


def test_without_an_application_the_page_says_what_it_is_for_and_opens_an_example(page):
    whole(page.open("streams"))
    assert "No Kafka Streams application is open" in page.app.subheader[0].value

    page.app.button(key="empty-kip-441").click().run()
    whole(page)

    assert page.address["sample"] == "kip-441"
    assert page.kpis["Balanced"] == "No"


def test_an_unknown_example_is_refused_with_those_that_there_are(page):
    whole(page.open("streams", sample="kip-4"))

    assert "kip\\-441, orders\\-enrich" in page.app.warning[0].value


def test_a_new_instance_warms_up_two_tasks_while_their_owners_work_on(page):
    whole(page.open("streams", sample="kip-441"))

    assert {
        label: page.kpis[label]
        for label in ("Warm-ups in flight", "Rounds to balance", "Time to balance")
    } == {
        "Warm-ups in flight": "2",
        "Rounds to balance": "2",
        "Time to balance": "20 m",
    }
    assert held(page, "kip-441-3", "active") == []
    assert held(page, "kip-441-3", "warmup") == ["0_2 warmup", "0_3 warmup", "0_5 waits"]
    assert "0_2 moving" in held(page, "kip-441-1", "active")


def test_a_later_round_is_in_the_address_and_shows_what_came_and_left(page):
    whole(page.open("streams", sample="kip-441", round="1"))

    assert held(page, "kip-441-3", "active") == ["0_2 came"]
    assert held(page, "kip-441-1", "active")[-1] == "0_2 left"
    assert page.address["round"] == "1"


def test_another_assignor_moves_tasks_at_once(page):
    whole(page.open("streams", sample="kip-441", assignor="legacy-sticky"))

    assert any(tile.endswith("restoring") for tile in held(page, "kip-441-3", "active"))
    assert (page.kpis["Balanced"], page.kpis["Time to balance"]) == ("No", "6m 45s")
    assert "2 of 6 restore before they run" in page.html


def test_a_pasted_streams_document_opens_here_and_keeps_its_address(page):
    page.paste((SAMPLES / "kip-441.json").read_text())
    whole(page.open("streams"))

    assert page.kpis["Time to balance"] == "20 m"
    assert held(page, "kip-441-3", "warmup") == ["0_2 warmup", "0_3 warmup", "0_5 waits"]

    other = whole(page.anew().open("streams", **page.address))
    assert other.kpis == page.kpis


def test_pages_of_consumer_groups_lead_from_an_application_to_this_page(page):
    page.open("compare", sample="kip-441")

    assert "is a Kafka Streams application" in page.app.subheader[0].value
    assert not page.app.get("plotly_chart")


def test_a_consumer_group_is_no_application(page):
    whole(page.open("streams", sample="one-hot-partition"))

    assert page.app.subheader[0].value == "The open group is not a Kafka Streams application"


def steps(*edits) -> str:
    return text_of_steps([Step(edits=[edit]) for edit in edits])


FIRST = "3d6ef372-fe94-f82b-9e37-79b97f4a7c15"


def test_an_instance_that_dies_leaves_its_tasks_and_returns_with_or_without_its_disk(
    page,
):
    dies = RemoveProcesses(process_ids=[FIRST])
    whole(
        page.open(
            "streams",
            sample="kip-441",
            steps=steps(dies, ReturnProcesses(process_ids=[FIRST], disk=False)),
            at="1",
        )
    )
    assert "kip-441-1" not in instances(page)
    assert "Simulation" in page.html
    assert "kip-441-1 dies" in page.app.button(key="step-1").label.replace("\\", "")
    assert "3 moves" in page.html

    page.app.button(key="step-2").click().run()
    whole(page)
    assert instances(page)["kip-441-1"]["note"] == "no state"
    assert "at" not in page.address

    page.app.menu_button(key="step-menu").click("remove").run()
    assert page.address["steps"] == steps(dies)
    page.app.button(key="undo").click().run()
    assert len(page.address["steps"]) > len(steps(dies))


def test_one_instance_dies_where_the_form_is_sent_as_it_is(page):
    whole(page.open("streams", sample="orders-enrich"))

    page.app.menu_button(key="streams-what-if").click("remove_processes").run()

    assert len(page.app.multiselect(key="remove_processes-process_ids-None").value) == 1


def test_a_setting_changes_by_the_form(page):
    whole(page.open("streams", sample="orders-enrich"))
    assert page.kpis["Time to balance"] == "1 h"

    page.app.menu_button(key="streams-what-if").click("set_settings").run()
    page.app.number_input(key="set_settings-settings-None").set_value(6)
    page.app.button(key="form-add").click().run()
    whole(page)

    assert page.address["steps"] == steps(SetSettings(settings={"max.warmup.replicas": 6}))
    assert page.kpis["Time to balance"] == "40 m"


def test_a_step_that_names_what_is_not_there_says_so_and_the_one_before_it_is_shown(page):
    whole(
        page.open(
            "streams",
            sample="kip-441",
            steps=steps(RemoveProcesses(process_ids=["00000000-0000-0000-0000-000000000000"])),
        )
    )

    assert "no process" in page.html
    assert page.kpis["Time to balance"] == "20 m"
    assert "kip-441-1" in instances(page)


def drawn(page):
    """The buttons of the list of steps."""
    return [
        button.label.replace("\\", "")
        for button in page.app.button
        if button.key in ("step-0", "step-1", "step-2")
    ]


def test_undo_and_redo_walk_through_the_edits(page):
    dies = RemoveProcesses(process_ids=[FIRST])
    whole(page.open("streams", sample="kip-441"))
    page.app.menu_button(key="streams-what-if").click("remove_processes").run()
    page.app.button(key="form-add").click().run()
    assert page.address["steps"] == steps(dies)

    page.app.button(key="undo").click().run()
    assert "steps" not in page.address
    assert drawn(page) == []
    page.app.button(key="redo").click().run()

    assert page.address["steps"] == steps(dies)
    assert drawn(page) == ["0  **as listed**", "1  **kip-441-1 dies**"]


def test_a_copy_of_a_scenario_is_edited_alone_and_stands_in_the_address(page):
    dies = RemoveProcesses(process_ids=[FIRST])
    whole(page.open("streams", sample="kip-441", steps=steps(dies)))

    page.app.menu_button(key="what-if-scenario-menu").click("Copy to the side").run()
    page.app.checkbox(key="edit-1-0").uncheck().run()

    scenarios = draft_of_application(page.address["steps"]).scenarios
    assert [[edit.off for edit in named.steps[0].edits] for named in scenarios] == [[False], [True]]
    assert page.address["scenario"] == "B"
    again = whole(page.anew().open("streams", **page.address))
    assert "kip-441-1" in instances(again)
    assert again.address["scenario"] == "B"


def test_a_long_list_of_steps_is_kept_as_a_draft_beside_the_lake(page):
    quiet = [
        Step(name=hashlib.sha256(bytes([number])).hexdigest(), edits=[]) for number in range(45)
    ]
    whole(page.open("streams", sample="kip-441", steps=text_of_steps(quiet), at="0"))

    assert set(page.address) >= {"draft"}
    assert "steps" not in page.address
    again = whole(page.anew().open("streams", **page.address))
    assert (
        sum(
            button.key.startswith("step-") and button.key[5:].isdigit()
            for button in again.app.button
        )
        == 46
    )


def test_steps_are_copied_renamed_and_changed_in_their_form(page):
    whole(
        page.open(
            "streams",
            sample="orders-enrich",
            steps=steps(SetSettings(settings={"max.warmup.replicas": 3})),
        )
    )

    page.app.menu_button(key="step-menu").click("change 0").run()
    page.app.number_input(key="set_settings-settings-0").set_value(6)
    page.app.button(key="form-add").click().run()
    assert page.address["steps"] == steps(SetSettings(settings={"max.warmup.replicas": 6}))
    page.app.menu_button(key="step-menu").click("copy").run()
    page.app.menu_button(key="step-menu").click("rename").run()
    page.app.text_input(key="step-name-text").set_value("again").run()

    (named,) = draft_of_application(page.address["steps"]).scenarios
    assert [step.name for step in named.steps] == [None, "again"]
    assert [edit.settings for step in named.steps for edit in step.edits] == [
        {"max.warmup.replicas": 6}
    ] * 2


def test_without_restore_rates_no_time_is_known_until_one_is_assumed(page):
    document = json.loads((SAMPLES / "kip-441.json").read_text())
    del document["restore_rates"]
    page.paste(json.dumps(document))
    whole(page.open("streams"))
    assert (page.kpis["Rounds to balance"], "Time to balance" in page.kpis) == ("≥ 2", False)

    page.app.number_input(key="streams-rate").set_value(20_000).run()
    whole(page)

    assert page.kpis["Time to balance"] == "20 m"
    assert page.address["rate"] == "20000"


def test_two_readings_tell_rates_and_the_earlier_one_stands_in_the_address(page):
    later = json.loads((SAMPLES / "kip-441.json").read_text())
    del later["restore_rates"]
    later["processes"][2]["consumers"][0]["task_offset_sums"] = {"0_2": 600_000}
    earlier = json.loads(json.dumps(later))
    earlier["processes"][2]["consumers"][0]["task_offset_sums"] = {"0_2": 60_000}
    batches = []
    for document, time in ((earlier, "08:00:00"), (later, "08:01:00")):
        page.paste(json.dumps(document | {"taken_at": f"2026-11-20T{time}Z"}))
        batches.append(page.open("streams").address["opened"])
        page.open("start").app.button(key="forget-import").click().run()

    # 540,000 records in 60 seconds.
    again = whole(page.anew().open("streams", opened=batches[1], since=batches[0]))

    assert again.address["since"] == batches[0]
    assert held(again, "kip-441-3", "warmup")[0] == "0_2 warmup"
    notes = [
        tile["note"]
        for line in instances(again)["kip-441-3"]["lines"]
        for tile in line["cells"]["warmup"]["tiles"]
    ]
    assert any(" · " in note for note in notes)


def test_a_pasted_scenario_of_an_application_opens_here_with_its_steps(page):
    group = json.loads((SAMPLES / "kip-441.json").read_text())
    edits = [{"op": "remove_processes", "process_ids": [FIRST]}]
    page.paste(
        json.dumps(
            {
                "format": "evenkeel.scenario/1",
                "group": group,
                "steps": [{"name": "one dies", "edits": edits}],
            }
        )
    )

    assert not page.errors
    assert page.app.button(key="step-1").label == "1  **one dies**"
    assert {"opened", "steps"} <= set(page.address)


def test_a_numbered_behaviour_that_strikes_is_named_with_whom_it_strikes(page):
    document = json.loads((SAMPLES / "kip-441.json").read_text())
    document["processes"][1]["process_id"] = "9e6ef372-fe94-f82b-3c6e-f372fe94f82a"
    page.paste(json.dumps(document))
    whole(page.open("streams"))

    assert ">Kafka's behaviour Q-20</dt>" in page.html
    assert "Here: 1 instance, kip-441-2." in page.html


def test_a_step_beyond_the_budget_is_refused_in_its_line_and_the_page_stands(
    page, monkeypatch, tmp_path
):
    (tmp_path / "evenkeel.toml").write_text('[limits]\ngroup = "1 MB"\n')
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))

    page.open("streams", sample="kip-441", steps=steps(AddProcesses(like=FIRST, count=900)))

    assert not page.app.exception
    assert "expected at most 1 MB ([limits] group)" in page.html


def test_a_chosen_task_says_in_the_steps_of_the_assignor_why_it_is_there(page):
    whole(page.open("streams", sample="kip-441"))

    page.app.selectbox(key="why-task").set_value("0_0").run()

    assert not page.errors
    assert "Why 0_0 is there now" in page.html
    assert "Stateful tasks are dealt out in turn to" in page.html.split("Why 0_0 is there now")[1]


def test_why_a_task_is_there_is_asked_once_for_all_runs_of_the_page(page, monkeypatch):
    asked = []
    monkeypatch.setattr(
        applications,
        "why_task_there",
        lambda *args: asked.append(args) or ("It had the fewest tasks.",),
    )
    whole(page.open("streams", sample="kip-441"))

    page.app.selectbox(key="why-task").set_value("0_1").run()
    page.app.run()

    assert len(asked) == 1
    assert "It had the fewest tasks." in page.html
