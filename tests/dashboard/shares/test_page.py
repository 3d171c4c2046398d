"""Shared: a share opens with its numbers, says where they differ, and every id that opens nothing
gets one page.
"""

import re
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from sqlalchemy import update

from evenkeel.dashboard.shares.loading import opened as open_shares
from evenkeel.dashboard.shell import address
from evenkeel.data.scenarios.run.results import result_of
from evenkeel.data.scenarios.run.walk import lines_of
from evenkeel.data.scenarios.scenario.draft import draft_of
from evenkeel.data.shares import share as payloads
from evenkeel.data.shares.database import PAYLOADS, SHARES, writing
from evenkeel.data.shares.redaction import KINDS
from evenkeel.data.shares.share import Frozen
from evenkeel.data.shares.store import shares
from tests.dashboard.conftest import unescaped
from tests.dashboard.shares_by_hand import answered, share
from tests.dashboard.stepped import JOINS, STOPS, stepped

MINE, ANOTHERS = "m" * 43, "o" * 43
NOTHING = "No share has this address."
HOSTILE = "<b>x</b> $y$ **z** :material/home: :red[r] https://evil.example a->b &lt; \u202eabc"

pytestmark = pytest.mark.usefixtures("cookies", "page")


def facts(page) -> dict[str, str]:
    """Return the facts of the open share, without their mark-up."""
    found = re.findall(
        "<dt>(.*?)</dt><dd>(.*?)</dd>",
        page.html.split('<dl class="share-facts">')[1].split("</dl>")[0],
    )
    return {label: re.sub("<.*?>", "", said) for label, said in found}


def expire(share_id: str) -> None:
    with writing(shares()._engine) as connection:
        connection.execute(
            update(SHARES)
            .where(SHARES.c.id == share_id)
            .values(expires_at=datetime.now(UTC) - timedelta(days=1))
        )


def test_a_share_shows_what_was_frozen_at_its_last_step(page):
    page.open(
        "shared",
        share=share(stepped(JOINS, STOPS), title="one fewer", note="Look at C1.", author="Mira"),
        part="answers",
    )

    # Three members with one partition each; the one with 50,000 records stops and leaves them to
    # another.
    assert [card["name"] for card in page.component("cards")["cards"]] == [
        "as listed",
        "add_members",
        "remove_members",
    ]
    assert facts(page)["By"] == "Mira"
    assert facts(page)["Recomputed just now"].startswith("✓ same as when frozen engine")
    assert "Look at C1." in page.html
    assert 'class="differs"' not in page.html
    assert page.table["lag"][0] == "2 / 1"
    assert not page.errors


def test_a_share_that_was_frozen_before_the_clock_was_set_back_has_no_negative_age(page):
    share_id = share(stepped(STOPS))
    with writing(shares()._engine) as connection:
        connection.execute(update(SHARES).values(created_at=datetime.now(UTC) + timedelta(hours=1)))

    page.open("shared", share=share_id)

    assert facts(page)["Frozen"].endswith(" UTC 0 s ago")
    assert not page.errors


def test_the_address_of_a_share_names_its_step_and_its_candidate(page):
    page.open("shared", share=share(stepped(STOPS)), step="0", candidate="range")

    assert (page.component("cards")["selected"], page.component("candidate")["candidate"]) == (
        0,
        "range",
    )
    assert page.table["range"][2] == "160\u202fk"


def test_back_to_the_address_of_a_share_without_a_step_shows_its_last_step(page, monkeypatch):
    page.open("shared", share=share(stepped(STOPS)), step="0", candidate="range")
    first = page.address["step"]
    monkeypatch.setattr(address, "_is_gone_back", lambda: True)
    del page.app.query_params["step"]
    page.app.run()

    assert first == "0"
    assert page.component("cards")["selected"] == 1
    assert "step" not in page.address


def test_a_step_that_a_share_does_not_have_and_a_candidate_that_it_does_not_know_open_its_last_step(
    page,
):
    page.open("shared", share=share(stepped(STOPS)), step="99", candidate="<b>")

    assert page.component("cards")["selected"] == 1
    assert not page.errors


def test_where_the_answers_of_now_differ_both_figures_stand_in_the_cell(page):
    def other(lines):
        lines[0] |= {"result_hash": "0" * 64, "engine": "0.0.9"}
        next(line for line in lines[1:] if line["step"] == 1 and line["assignor"] == "lag")[
            "moved_partitions"
        ] = 7

    page.open("shared", share=share(stepped(STOPS), other, note="A note."), candidate="lag")

    was = [
        cell["was"]
        for row in page.rows
        if row["name"] == "lag"
        for cell in row["cells"]
        if "was" in cell
    ]
    assert was == ["was 7"]
    assert "<b>1 of " in page.html
    assert "Frozen with engine 0.0.9" in page.html
    assert "A note." not in page.html


def test_a_redacted_share_says_that_it_cannot_be_recomputed_and_is_not(page, monkeypatch):
    share_id = share(stepped(STOPS), redact=KINDS)
    monkeypatch.setattr(
        "evenkeel.dashboard.shell.apart.result", lambda scenario: pytest.fail("asked an assignor")
    )

    page.open("shared", share=share_id, part="answers")

    assert "computed on the original names" in facts(page)["Recomputed just now"]
    assert facts(page)["Names"] == "all are stand-ins of every kind"
    assert page.table["lag"][2] == "210\u202fk"


@pytest.mark.parametrize(
    "share_id", ["A" * 22, "A" * 21, "x", "../../etc", "' OR 1=1 --", "%00", "\u202e"]
)
def test_an_id_that_was_never_given_opens_the_page_of_one_that_was_deleted(page, cookies, share_id):
    cookies(MINE)
    gone = share(stepped(STOPS), owner=MINE)
    shares().delete(gone, MINE)

    seen = [
        each.open("shared", share=found) for each, found in ((page, share_id), (page.anew(), gone))
    ]

    assert [each.warnings for each in seen] == [[NOTHING], [NOTHING]]
    assert [[caption.value for caption in each.app.caption] for each in seen][0] == [
        caption.value for caption in seen[1].app.caption
    ]


def test_only_the_browser_that_made_a_share_is_told_that_it_has_expired(page, cookies):
    share_id = share(stepped(STOPS), owner=MINE)
    expire(share_id)

    cookies(ANOTHERS)
    assert page.open("shared", share=share_id).warnings == [NOTHING]
    cookies(MINE)
    assert (
        page.anew().open("shared", share=share_id).warnings[0].startswith("This share expired at ")
    )


def test_a_share_that_a_newer_evenkeel_wrote_says_so(page):
    share_id = share(stepped(STOPS))
    result = stepped(STOPS)
    newer = payloads.Payload(
        msgspec.to_builtins(result.scenario) | {"format": "evenkeel.scenario/2"},
        [{"format": "evenkeel.replay/1"}],
    )
    with writing(shares()._engine) as connection:
        connection.execute(update(PAYLOADS).values(payload=payloads.compressed(newer)))

    page.open("shared", share=share_id)

    assert "which a newer Evenkeel wrote" in page.errors[0]


def test_texts_of_strangers_come_out_letter_by_letter(page):
    result = stepped(STOPS)
    step = msgspec.structs.replace(result.scenario.steps[0], name=HOSTILE)
    group = msgspec.structs.replace(result.scenario.group, group_id=HOSTILE)
    result = result_of(msgspec.structs.replace(result.scenario, steps=[step], group=group))
    shown = HOSTILE.replace("\u202e", r"\u202e")

    page.open(
        "shared",
        share=share(result, title=HOSTILE, note=HOSTILE, author=HOSTILE),
        part="answers",
    )

    assert unescaped(page.app.title[0].value) == shown
    assert page.component("cards")["cards"][1]["name"] == HOSTILE
    assert page.html.count("&lt;b&gt;x&lt;/b&gt; $y$") == 2
    assert "<b>x" not in page.html
    assert "\u202e" not in page.html
    (badge, *_) = [each.value for each in page.app.markdown if "-badge[" in each.value]
    assert "<b>" not in badge
    assert not re.search(r":material/home:|(?<!\\)[$]y|\u202e|->", badge)


def test_a_browser_lists_what_it_has_shared_and_opens_it(page, cookies):
    cookies(MINE)
    share_id = share(stepped(STOPS), owner=MINE, title=HOSTILE)
    share(stepped(STOPS), owner=ANOTHERS)

    page.open("shared")
    titles = [
        unescaped(each.value).strip("*") for each in page.app.markdown if "evil" in each.value
    ]
    assert titles == [HOSTILE.replace("\u202e", r"\u202e").strip("*")]
    page.app.button(key=f"open-{share_id}").click().run()

    assert page.address["share"] == share_id
    assert "Frozen – not live" in page.html


def test_a_share_that_its_browser_deletes_is_gone(page, cookies):
    cookies(MINE)
    share_id = share(stepped(STOPS), owner=MINE)

    page.open("shared")
    page.app.button(key=f"delete-{share_id}").click().run()

    assert [each.value for each in page.app.info][0].startswith(
        "This browser has shared nothing yet."
    )
    assert page.anew().open("shared", share=share_id).warnings == [NOTHING]


def test_a_fork_opens_the_steps_as_a_what_if(page):
    page.open("shared", share=share(stepped(STOPS)))

    page.app.button(key="fork").click().run()

    steps = draft_of(page.address["steps"]).scenarios[0].steps
    assert [edit.member_ids for edit in steps[0].edits] == [["C1"]]
    assert "worst 160\u202fk → 210\u202fk" in page.html


def test_a_program_gets_the_advice_of_a_share_which_is_made_once(monkeypatch):
    share_id, made = share(stepped(JOINS, STOPS)), []
    with_advice = open_shares.with_advice
    monkeypatch.setattr(
        open_shares,
        "with_advice",
        lambda *arguments: made.append(share_id) or with_advice(*arguments),
    )

    heads = [answered(share_id)["result"][0] for _ in range(3)]

    assert [one["what"] for one in heads[0]["advice"]] == [
        "as listed",
        "add_members",
        "remove_members",
    ]
    assert heads[1:] == heads[:1] * 2
    assert made == [share_id]


@pytest.mark.parametrize(
    "change",
    [
        lambda document: document["steps"][0]["edits"][0].update(op="an_edit_of_old"),
        lambda document: document["steps"][0]["edits"][0].update(member_ids=["nobody"]),
    ],
    ids=["an edit that is gone", "an edit that is refused now"],
)
def test_a_program_gets_a_share_whose_scenario_is_no_longer_read_without_advice(change):
    result = stepped(STOPS)
    document, lines = msgspec.to_builtins(result.scenario), lines_of(result)
    change(document)
    made = shares().make(Frozen(document, lines, "old", timedelta(days=1)), None)

    answer = answered(made.share_id)

    assert answer["scenario"] == document
    assert len(answer["result"]) == len(lines)
    assert "advice" not in answer["result"][0]


@pytest.mark.parametrize("redact", [(), KINDS])
def test_a_share_beyond_the_budget_of_now_is_refused_with_the_setting(
    page, redact, monkeypatch, tmp_path
):
    share_id = share(stepped(STOPS), redact=redact)
    (tmp_path / "evenkeel.toml").write_text("[limits]\nwork = 10\n")
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))

    page.open("shared", share=share_id)

    assert [text.endswith("expected at most 10 ([limits] work)") for text in page.errors] == [True]
