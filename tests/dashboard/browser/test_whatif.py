"""What-if by hand: keys, Back, and a click on a chart."""

from playwright.sync_api import expect

from evenkeel.data.scenarios.edits.remove_topic import RemoveTopic
from evenkeel.data.scenarios.edits.set_lag import SetLag
from evenkeel.data.scenarios.scenario.draft import Draft, NamedSteps, text_of
from evenkeel.data.scenarios.scenario.scenario import Step
from tests.dashboard.browser.server import settle

STEPS = text_of(
    Draft(
        [
            NamedSteps(
                None,
                [
                    Step("refunds go", [RemoveTopic(name="refunds")]),
                    Step("a spike", [SetLag(topic="orders", partition=0, lag=1)]),
                ],
            )
        ]
    )
)
LINK = f"/whatif?sample=one-hot-partition&candidate=lag&steps={STEPS}"


def shows(page, step, name):
    expect(page.locator(".step-title").first).to_contain_text(f"{step} · {name}")
    settle(page)


def test_keys_walk_through_the_steps_move_one_and_undo_it(tab):
    page = tab(LINK)
    shows(page, 2, "a spike")

    page.keyboard.press("ArrowLeft")
    shows(page, 1, "refunds go")
    page.keyboard.press("ArrowRight")
    shows(page, 2, "a spike")
    page.keyboard.press("Alt+ArrowUp")
    shows(page, 1, "a spike")
    page.keyboard.press("Control+z")
    shows(page, 2, "a spike")


def test_buttons_checkboxes_and_cards_have_names_for_screen_readers(tab):
    page = tab(LINK)
    shows(page, 2, "a spike")

    for name in (
        "Move the step up",
        "Move the step down",
        "Change the step",
        "Change the scenario",
        "Step before",
        "Next step",
    ):
        expect(page.get_by_role("button", name=name).first).to_be_visible()
    expect(page.get_by_role("checkbox", name="orders-0 lags 1 record", exact=True)).to_be_attached()
    expect(page.get_by_role("radio", name="step 2: a spike, 12 members")).to_be_visible()


def test_back_forward_and_reload_keep_the_steps(tab):
    page = tab(LINK)
    shows(page, 2, "a spike")
    first = page.url
    page.get_by_text("orders-0 lags 1 record", exact=True).click()
    expect(page.get_by_text("off · would be")).to_be_visible()
    expect(page).not_to_have_url(first)
    settle(page)
    changed = page.url

    page.go_back()
    expect(page).to_have_url(first)
    expect(page.get_by_text("off · would be")).to_have_count(0)
    shows(page, 2, "a spike")
    page.go_forward()
    expect(page.get_by_text("off · would be")).to_be_visible()
    page.reload()
    expect(page.get_by_text("off · would be")).to_be_visible()
    expect(page).to_have_url(changed)


def test_a_member_that_is_clicked_stops_in_the_next_step(tab):
    page = tab(LINK, size=(1440, 1200))
    shows(page, 2, "a spike")
    name = page.locator(".st-key-step-members .ytick text").nth(1).text_content().split()[0]

    page.locator(".st-key-step-members .bars path").nth(1).click(force=True)
    expect(page.get_by_role("combobox", name="Member")).to_have_value(name)
    page.get_by_role("button", name="Stop", exact=True).click()

    shows(page, 3, f"{name} stops")
