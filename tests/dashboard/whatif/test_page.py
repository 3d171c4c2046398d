"""What-if: steps of edits, what each does, and where they are kept."""

import hashlib
import re
from types import SimpleNamespace

import pytest

from evenkeel.dashboard.shell import apart, cache
from evenkeel.dashboard.shell.loading.walks import onward
from evenkeel.data.own_process import LimitError, OwnProcess
from evenkeel.data.scenarios.edits.add_members import AddMembers
from evenkeel.data.scenarios.edits.add_topic import AddTopic
from evenkeel.data.scenarios.edits.remove_members import RemoveMembers
from evenkeel.data.scenarios.edits.scale_lag import ScaleLag
from evenkeel.data.scenarios.edits.set_lag import SetLag
from evenkeel.data.scenarios.run import group_step
from evenkeel.data.scenarios.scenario.draft import Draft, NamedSteps, draft_of, text_of
from evenkeel.data.scenarios.scenario.scenario import Step

STOPS, STAYS, GONE = (Step(edits=[RemoveMembers(member_ids=[name])]) for name in ("C1", "C0", "C9"))
EMPTY_GROUP = """Consumer group 'payments' has no active members.

GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID
payments orders 0 10 110 100 - - -
payments orders 1 10 20 10 - - -
"""
HOT = "pay-eu-01-cd613e30-d8f1-4adf-91b7-584a2265b1f5"
JOINS = Step(name="two more", edits=[AddMembers(count=2, like="C0")])


def opened(page, *steps, sample="lag-aware", candidate="lag", **link):
    """Open KAFKA-5337's group with steps: C0 has 100,000 and 60,000 records of lag, C1 has
    50,000.
    """
    edits = {"steps": text_of(Draft([NamedSteps(None, list(steps))]))} if steps else {}
    return page.open("whatif", sample=sample, candidate=candidate, **edits, **link)


def whole(page):
    """Draw a page again until nothing of it is still computed."""
    page.until(lambda: "Still computed" not in page.html)
    return page


def effects(page):
    return list(re.findall(r'<p class="effect">(.*?)</p>', page.html))


def titles(page):
    return [button.label for button in page.app.button if re.fullmatch(r"step-\d+", button.key)]


def steps_of(page):
    return draft_of(page.address["steps"]).scenarios[0].steps


def add(page, op, **values):
    """Add a step by its form."""
    page.app.menu_button(key="what-if-add").click(op).run()
    for key, (kind, value) in values.items():
        getattr(page.app, kind)(key=f"{op}-{key}" if "-" in key else f"{op}-{key}-None").set_value(
            value
        )
    page.app.button(key="form-add").click().run()


def test_without_a_group_the_page_says_what_it_is_for(page):
    page.open("whatif")

    assert any(
        "What-if shows what happens when members stop or join" in each.value
        for each in page.app.markdown
    )
    assert not page.app.menu_button


def test_without_steps_the_group_stands_there_as_listed(page):
    opened(page)

    assert "<b>Simulation – nothing is sent to Kafka</b> Based on" in page.html
    assert effects(page) == [
        "2 members · 3 partitions · worst 160\u202fk",
        "switch to lag alone: worst 160\u202fk → 110\u202fk · 1 rebalance, 1 move",
    ]
    assert "0 · as listed" in page.html
    assert page.address == {"sample": "lag-aware", "candidate": "lag"}


def test_a_step_shows_what_it_does_and_stands_in_the_address(page):
    opened(page)

    add(page, "remove_members", member_ids=("multiselect", ["C1"]))

    assert effects(page)[2:] == [
        "worst 160\u202fk → 210\u202fk · 1 rebalance, 1 move",
        "alone: 1 move, worst 210\u202fk",
    ]
    assert steps_of(page) == [STOPS]
    again = page.anew().open("whatif", **page.address)
    assert effects(again) == effects(page)


@pytest.mark.parametrize(
    ("op", "values", "title"),
    [
        ("add_members", {"count": ("number_input", 2)}, "2 members join, like C0"),
        ("restart_members", {"member_ids": ("multiselect", ["C0", "C1"])}, "C0 and C1 restart"),
        ("set_instance_id", {"member_ids": ("multiselect", ["C0"])}, "C0 becomes static, C0"),
        (
            "set_subscription",
            {"member_ids": ("multiselect", ["C0"]), "topics": ("multiselect", ["t0"])},
            "C0 subscribes to t0",
        ),
        ("set_rack", {"member_ids": ("multiselect", ["C0"])}, "C0 without a rack"),
        (
            "set_partition_count",
            {"grown-None-count-t0": ("number_input", 12)},
            "t0 grows to 12 partitions",
        ),
        (
            "add_topic",
            {"name": ("text_input", "t9"), "partitions": ("number_input", 1)},
            "t9 appears with 1 partition",
        ),
        ("remove_topic", {}, "t0 is deleted"),
        (
            "set_lag",
            {"partition": ("number_input", 2), "lag": ("number_input", 7)},
            "t0-2 lags 7 records",
        ),
        ("scale_lag", {"factor": ("number_input", 1.5)}, "lag of t0 × 1.5"),
        ("advance", {"seconds": ("number_input", 60.0)}, "1 minute passes"),
    ],
)
def test_each_edit_has_a_form_and_a_sentence(page, op, values, title):
    opened(page)

    add(page, op, **values)

    assert not page.app.exception
    assert not page.errors
    assert f'<h2 class="step-title">1 · {title} <span>' in page.html


def test_a_topic_grows_from_the_size_that_it_has(page):
    opened(page)

    page.app.menu_button(key="what-if-add").click("set_partition_count").run()

    count = page.app.number_input(key="set_partition_count-grown-None-count-t0")
    assert (count.label, count.min, count.value) == ("Partitions, 3 now", 4, 4)


def test_a_form_says_why_an_edit_is_not_possible_and_stays_open(page):
    opened(page)

    add(page, "set_lag", partition=("number_input", 3))

    assert page.errors == ['Partition: found 3, but topic "t0" has 3 partitions, counted from 0.']
    assert page.app.button(key="form-add").label == "Add"


def test_an_edit_that_is_refused_says_so_in_its_place_and_the_steps_before_stand(page):
    opened(page, STOPS, GONE, JOINS)

    (said,) = re.findall(r'<p class="effect refused">(.*?)</p>', page.html)
    assert said == "⚠ There is no member &quot;C9&quot;."
    assert effects(page)[2:4] == [
        "worst 160\u202fk → 210\u202fk · 1 rebalance, 1 move",
        "alone: 1 move, worst 210\u202fk",
    ]
    assert page.errors
    assert page.errors[0].startswith('Not possible, step 2, edit 1: There is no member "C9".')
    page.app.button(key="step-1").click().run()
    assert not page.errors
    assert steps_of(page) == [STOPS, GONE, JOINS]


def test_an_edit_that_is_off_does_nothing_and_says_what_it_would_do(page):
    opened(page, STOPS)

    page.app.checkbox(key="edit-1-0").uncheck().run()

    assert effects(page)[2:] == [
        "worst 160\u202fk → 110\u202fk · 1 rebalance, 1 move",
        "off · would be: 1 move, worst 210\u202fk",
    ]
    assert steps_of(page)[0].edits[0].off


def test_an_edit_that_needs_one_before_it_says_so(page):
    opened(
        page,
        Step(edits=[AddTopic(name="t9", partitions=2), SetLag(topic="t9", partition=1, lag=5)]),
    )

    assert effects(page)[4] == "alone: not possible, it needs an earlier edit of this step"


def test_undo_and_redo_walk_through_the_edits(page):
    opened(page)
    assert page.app.button(key="undo").disabled
    add(page, "remove_members", member_ids=("multiselect", ["C1"]))

    page.app.button(key="undo").click().run()
    assert titles(page) == ["0  **as listed**"]
    assert "steps" not in page.address

    page.app.button(key="redo").click().run()
    assert titles(page) == ["0  **as listed**", "1  **C1 stops**"]


def test_steps_are_moved_copied_renamed_and_removed(page):
    opened(page, STOPS, JOINS)

    page.app.button(key="step-arrow_upward").click().run()
    assert steps_of(page) == [JOINS, STOPS]
    page.app.menu_button(key="step-menu").click("copy").run()
    assert steps_of(page) == [JOINS, JOINS, STOPS]
    page.app.menu_button(key="step-menu").click("remove").run()
    assert steps_of(page) == [JOINS, STOPS]
    page.app.menu_button(key="step-menu").click("rename").run()
    page.app.text_input(key="step-name-text").set_value("C1 dies").run()
    assert [step.name for step in steps_of(page)] == ["two more", "C1 dies"]


def test_an_edit_is_changed_in_its_form(page):
    opened(page, JOINS)

    page.app.menu_button(key="step-menu").click("change 0").run()
    page.app.number_input(key="add_members-count-0").set_value(3)
    page.app.button(key="form-add").click().run()

    assert [edit.count for edit in steps_of(page)[0].edits] == [3]


def test_the_arrows_walk_through_the_steps_and_the_address_says_which_is_shown(page):
    opened(page, STOPS, JOINS)

    page.app.button(key="walk-left").click().run()

    assert page.address["at"] == "1"
    assert "1 · C1 stops" in page.html
    assert "1 · C1 stops" in page.anew().open("whatif", **page.address).html


def test_a_copy_of_a_scenario_is_edited_alone(page):
    opened(page, STOPS)

    page.app.menu_button(key="what-if-scenario-menu").click("Copy to the side").run()
    add(page, "remove_topic")

    assert [len(each.steps) for each in draft_of(page.address["steps"]).scenarios] == [1, 2]
    assert page.address["scenario"] == "B"


def test_the_fourth_scenario_says_why_there_is_no_fifth(page):
    opened(page, STOPS)

    for _ in range(3):
        assert not [one for one in page.app.caption if "There is room" in one.value]
        page.app.menu_button(key="what-if-scenario-menu").click("Copy to the side").run()

    assert [one.value for one in page.app.caption if "There is room" in one.value] == [
        "There is room for 4 scenarios. Remove a scenario to copy another."
    ]


def test_a_long_list_is_kept_as_a_draft_beside_the_lake(page):
    steps = [Step(name=hashlib.sha256(bytes([number])).hexdigest()) for number in range(60)]
    opened(page, *steps)

    assert set(page.address) >= {"draft"}
    assert "steps" not in page.address
    assert "draft saved" in page.html
    assert len(titles(page.anew().open("whatif", **page.address))) == 61


@pytest.mark.parametrize(
    ("link", "said"),
    [
        (
            {"steps": "not-base64!"},
            ("The URL has edits that cannot be read. steps: the text is cut or changed, expected"),
        ),
        (
            {"steps": text_of(Draft([NamedSteps(None, [STOPS])]))[:-9]},
            "steps: the text is cut or changed, expected the whole address",
        ),
        (
            {"draft": "x" * 22},
            "This address has no draft: drafts are deleted after a day.",
        ),
        ({"draft": "../../secret"}, "This address has no draft"),
    ],
)
def test_an_address_that_cannot_be_read_is_a_sentence_and_an_empty_list(page, link, said):
    page.open("whatif", sample="lag-aware", candidate="lag", **link)

    assert any(said in warning for warning in page.warnings)
    assert titles(page) == ["0  **as listed**"]


def test_names_of_strangers_are_shown_letter_by_letter(page):
    opened(page, Step(name="<img src=x> **bold**", edits=STOPS.edits))

    assert titles(page)[1] == r"1  **&lt;img src=x\> \*\*bold\*\***"
    assert "<img" not in page.html
    assert "&lt;img src=x&gt; **bold**" in page.html


def test_one_more_edit_computes_one_step_of_each_assignor(page, monkeypatch):
    opened(page, STOPS, candidate="range")
    asked = []
    monkeypatch.setattr(
        group_step,
        "step_answer",
        lambda *args, answer=group_step.step_answer: asked.append(args[2:]) or answer(*args),
    )

    add(page, "set_lag", lag=("number_input", 4_711))

    assert {number for number, _ in asked} == {1}
    assert len(asked) == len({assignor.name for _, assignor in asked}) == 7


def test_a_member_stops_restarts_or_becomes_static_in_the_next_step(page):
    opened(page)

    page.app.button(key="member-stop").click().run()

    assert [step.edits[0].member_ids for step in steps_of(page)] == [["C0"]]


def test_scenarios_stand_side_by_side_under_one_candidate(page):
    draft = Draft([NamedSteps("one stops", [STOPS]), NamedSteps(None, [])])
    page.open("whatif", sample="lag-aware", candidate="lag", steps=text_of(draft), show="side")

    assert "A · one stops" in page.html
    assert "B · 0 steps" in page.html
    assert page.app.segmented_control(key="what-if-show").value == "side"


def test_a_rolling_restart_is_one_step_for_each_member(page):
    opened(page)

    add(page, "rolling_restart", all_static=("checkbox", True))

    assert [step.name for step in steps_of(page)] == [
        "all static",
        "restart 1 of 2",
        "restart 2 of 2",
    ]
    assert effects(page)[-2].endswith("· no rebalance")


def test_members_join_a_group_that_has_none(page):
    page.paste(EMPTY_GROUP)
    page.open("whatif")
    assert not page.app.exception
    assert not page.errors

    add(page, "add_members", count=("number_input", 2), subscribed=("multiselect", ["orders"]))

    assert not page.app.exception
    assert not page.errors
    assert "0 → 2 members" in page.html


@pytest.mark.parametrize("sample", ["ten-consumers-kafka-0.10", "kafka-9987-fresh"])
def test_a_group_without_a_known_type_or_without_owners_has_steps(page, sample):
    opened(page, sample=sample, candidate="sticky")
    member = page.app.selectbox(key="what-if-member").value if page.app.selectbox else None

    add(page, "add_topic", name=("text_input", "t9"))

    assert not page.app.exception
    assert not page.errors
    assert "1 · t9 appears with 6 partitions" in page.html
    assert member != ""


def test_a_member_has_one_name_in_the_list_the_choice_and_the_chart(page):
    opened(page, Step(edits=[AddMembers(count=1, like=HOT)]), sample="one-hot-partition")

    shown = {name.removesuffix(" +") for name in page.figure(1)["layout"]["yaxis"]["ticktext"]}
    assert shown == set(page.app.selectbox(key="what-if-member").options)
    assert {"pay-eu-01", "pay-eu-02"} < shown
    assert "1 · 1 member joins, like pay-eu-01" in page.html


def test_a_step_says_what_a_switch_gains_and_has_no_diagnosis(page):
    opened(page, STOPS)

    assert (
        "<b>After these steps, no other setting reduces the lag of the worst member by"
        " 10\u202f%.</b>" in page.html
    )
    assert "behind" not in page.html


def test_what_an_edit_does_is_told_without_the_switch_to_the_candidate(page):
    opened(page, Step(edits=[ScaleLag(topic="t0", factor=2)]))

    switch, step, edit = effects(page)[1:]
    assert switch == "switch to lag alone: worst 160\u202fk → 110\u202fk · 1 rebalance, 1 move"
    assert step == "worst 160\u202fk → 320\u202fk · no rebalance"
    assert edit == "alone: no rebalance, worst 320\u202fk"


GROWS = AddTopic(name="big", partitions=10_000_000)


def test_an_edit_beyond_the_budget_is_refused_with_size_limit_and_setting_and_earlier_edits_stay(
    page,
):
    opened(page, STOPS, Step(edits=[GROWS]))

    (said,) = page.errors
    assert (
        said
        == "Not possible, step 2, edit 1: Partitions: the group would have 10,000,003 partitions"
        " and 1 member and take 2.5 GB, expected at most 512 MB ([limits] group). Earlier"
        " steps are unchanged; change or switch off this edit to continue."
    )
    assert not page.app.exception
    assert len(titles(page)) == 3


def test_a_form_refuses_an_edit_beyond_the_budget_and_adds_nothing(page):
    opened(page)

    add(page, "add_topic", name=("text_input", "big"), partitions=("number_input", 9_000_000))

    assert [text for text in page.errors if "expected at most 512 MB ([limits] group)" in text]
    assert "steps" not in page.address


def test_more_work_than_the_budget_ends_before_the_step_that_crosses_it(
    page, monkeypatch, tmp_path
):
    (tmp_path / "evenkeel.toml").write_text("[limits]\nwork = 300\n")
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))

    opened(page, Step(), Step(), Step())

    (said,) = page.errors
    # 3 partitions and 2 members of 8 each, by 7 assignors: 133 as listed and for each step.
    assert (
        said
        == "Not possible, step 2: 7 assignors would answer about 399 partitions in all steps up to"
        " this one, expected at most 300 ([limits] work). Earlier steps are unchanged;"
        " remove steps or edits to continue."
    )


SAME = SetLag(topic="t0", partition=0, lag=7)


def test_edits_with_the_same_words_are_numbered_in_the_menu_of_their_step(page):
    opened(page, Step(edits=[SAME, SAME, STOPS.edits[0]]))

    assert not page.app.exception
    assert page.app.menu_button(key="step-menu").options[3:] == [
        ":material/edit: Change: t0\\-0 lags 7 records",
        ":material/close: Remove: t0\\-0 lags 7 records",
        ":material/edit: Change: t0\\-0 lags 7 records (2)",
        ":material/close: Remove: t0\\-0 lags 7 records (2)",
        ":material/edit: Change: C1 stops",
        ":material/close: Remove: C1 stops",
    ]
    page.app.menu_button(key="step-menu").click("drop 1").run()
    assert steps_of(page) == [Step(edits=[SAME, STOPS.edits[0]])]


def test_scenarios_and_steps_with_the_same_names_stand_next_to_each_other(page):
    same = NamedSteps("same", [Step(name="again", edits=[SAME]), Step(name="again", edits=[SAME])])
    page.open("whatif", sample="lag-aware", candidate="lag", steps=text_of(Draft([same, same])))

    assert not page.app.exception
    assert page.app.segmented_control(key="what-if-scenario").options == ["A · same", "B · same"]
    assert titles(page) == ["0  **as listed**", "1  **again**", "2  **again**"]


def test_a_step_of_very_many_edits_lists_the_first_hundred_and_is_carried_out_apart(
    page, monkeypatch, wait_for_rest
):
    begun = []
    monkeypatch.setattr(
        apart, "OwnProcess", lambda *asked: begun.append(asked[1].__name__) or OwnProcess(*asked)
    )
    cache.ALL.clear()

    opened(page, Step(edits=[SAME] * 600))

    assert begun[0] == "onward"
    assert not page.app.exception
    assert not page.errors
    assert len([box for box in page.app.checkbox if box.key.startswith("edit-1-")]) == 100
    assert [text.value for text in page.app.caption if "more edits" in text.value] == [
        "500 more edits: a step lists its first 100."
    ]


def test_steps_end_between_two_when_their_page_is_left(page, monkeypatch):
    class LeftError(Exception):
        pass

    def left():
        raise LeftError

    answers, keys = [], [("left", number) for number in range(2)]
    asked = SimpleNamespace(answer=lambda state, step, number: state)
    monkeypatch.setattr(cache, "get_run_yield_check", lambda: left if answers else None)

    def carried_out():
        answers.append(1)
        return asked

    state = SimpleNamespace(error=None, rests=True, start=None)
    with pytest.raises(LeftError):
        onward([state], [Step(), Step()], keys, carried_out)

    assert len(answers) == 1


def test_large_steps_are_carried_out_apart_and_look_as_those_that_are_carried_out_here(
    page, monkeypatch, wait_for_rest
):
    here = whole(opened(page, STOPS, JOINS))
    # Seeds and costs are drawn behind the page, and ask is_heavy too.
    wait_for_rest()
    cache.ALL.clear()
    begun = []
    monkeypatch.setattr(apart, "is_heavy", lambda work, edits=0: not begun)
    monkeypatch.setattr(
        apart, "OwnProcess", lambda *asked: begun.append(asked[1].__name__) or OwnProcess(*asked)
    )

    there = whole(opened(page.anew(), STOPS, JOINS))

    assert begun == ["onward"]
    assert not there.app.exception
    assert (there.html.count("<tr"), titles(there)) == (
        here.html.count("<tr"),
        titles(here),
    )


def test_an_assignor_that_needs_more_than_the_limits_says_so_in_place_of_its_answer(
    page, monkeypatch
):
    def late(*_, **__):
        raise LimitError("the answer takes longer than 20 s, expected at most that ([limits] time)")

    cache.ALL.clear()
    monkeypatch.setattr(apart, "is_heavy", lambda work, edits=0: True)
    monkeypatch.setattr(apart, "run", late)

    opened(page, STOPS)

    assert page.errors[0].startswith(
        "lag: the answer takes longer than 20 s, expected at most that ([limits] time)."
    )


def test_a_group_of_unknown_members_is_not_said_to_have_none(page):
    page.paste("TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG\norders 0 1 51000 50999\n")
    page.open("whatif")

    assert [each.value.partition(",")[0] for each in page.app.info] == ["This input has no members"]


def test_a_group_without_members_says_what_it_needs_and_offers_it_as_a_first_step(page):
    page.paste(EMPTY_GROUP).open("whatif")

    assert page.errors == []
    assert "Exception" not in page.html
    assert [each.value for each in page.app.info] == [
        "No consumer is running: the listing says that this group has no active members. Its lag"
        " grows until a consumer starts. Add members here to see which partitions they would get."
    ]
    page.app.button(key="first-members").click().run()

    (step,) = steps_of(page)
    assert (step.edits[0].count, list(step.edits[0].subscribed)) == (2, ["orders"])
    assert "2 members" in page.html
