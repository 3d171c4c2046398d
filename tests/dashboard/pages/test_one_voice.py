"""Every place says the same of a group: pages, share, report, commands and the library."""

import json
import re
from dataclasses import replace
from datetime import timedelta
from html import unescape

import pytest

import evenkeel
from evenkeel.dashboard.names import WORD_JOINER
from evenkeel.dashboard.shares import report_files
from evenkeel.dashboard.shares.loading import frozen as sharing
from evenkeel.dashboard.shares.loading.opened import open_share, stored_share
from evenkeel.dashboard.shares.reports.markdown import markdown
from evenkeel.dashboard.shares.reports.pages import html_page
from evenkeel.dashboard.shell.loading.diagnoses import summaries
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.commands.main import main
from evenkeel.data.diagnosis.answer import diagnosed
from evenkeel.data.shares.redaction import KINDS
from tests.dashboard.pasted import HEADER

pytestmark = pytest.mark.usefixtures("cookies")


def listing(*rows: str) -> str:
    return HEADER + "".join(f"pay {row}\n" for row in rows)


def later(*rows: str) -> str:
    """Return two readings, ten minutes apart: offsets of a partition that waits, of one that is
    read, of one that goes back, of one that is read too slowly, and of one that gets more than
    others.
    """
    before = ("50100 50000", "90 100 10", "50000 50100 100", "90 5000 4910", "90 5000 4910")
    after = ("51100 51000", "1090 1100 10", "1000 50200 49200", "500 5600 5100", "1200 11000 9800")
    first, second = (
        listing(*(row.format(*offsets) for row in rows)) for offsets in (before, after)
    )
    return f"2026-11-27T10:00:00Z\n{first}\n2026-11-27T10:10:00Z\n{second}"


SILENT = listing(
    *(f"orders {number} 0 40000 40000 pay-a-1 /10.0.0.1 pay-a" for number in range(2)),
    *(f"orders {number} 0 5 5 pay-b-1 /10.0.0.2 pay-b" for number in range(2, 4)),
)
GROUPS = {
    "silent_member": (
        SILENT,
        (
            "pay-a (10.0.0.1) is stopped or far slower: 40.0 k on each of its 2 partitions, at most"
            " 5 on the 2 others."
        ),
    ),
    "unread": (
        listing("orders 0 0 9000 9000 - - -", "orders 1 0 10 10 pay-a-1 /10.0.0.1 pay-a"),
        (
            "orders-0 has no owner: 9,000 of the group's 9,010 records wait there and nobody reads"
            " them."
        ),
    ),
    "behind": (
        listing(
            "orders 0 0 100000 100000 pay-a-1 /10.0.0.1 pay-a",
            "orders 1 0 90000 90000 pay-b-1 /10.0.0.2 pay-b",
        ),
        (
            "Both members that read orders are behind alike, 90.0 k to 100 k each, 190 k in all: 2"
            " members for 2 partitions."
        ),
    ),
    "down": (
        "Consumer group 'pay' has no active members.\n"
        + listing("orders 0 0 9000 9000 - - -", "orders 1 0 10 10 - - -"),
        "pay has no member: 9,010 records wait on its 2 partitions.",
    ),
    "rebalancing": (
        "Warning: Consumer group 'pay' is rebalancing.\n"
        + listing("orders 0 0 9000 9000 - - -", "orders 1 0 10 10 - - -"),
        "pay is rebalancing: 9,010 records wait on 2 partitions until it ends.",
    ),
    "past_end": (
        listing(
            "orders 0 500000 658 -499342 pay-a-1 /10.0.0.1 pay-a",
            "orders 1 90 100 10 pay-b-1 /10.0.0.2 pay-b",
        ),
        "orders-0 is committed at 500,000, past its end at 658: the topic was recreated or cut.",
    ),
    "one_partition": (
        listing(
            "orders 0 0 90000 90000 pay-a-1 /10.0.0.1 pay-a",
            "orders 1 95 100 5 pay-a-1 /10.0.0.1 pay-a",
            *(f"orders {number} 95 100 5 pay-b-1 /10.0.0.2 pay-b" for number in (2, 3)),
            *(f"orders {number} 95 100 5 pay-c-1 /10.0.0.3 pay-c" for number in (4, 5)),
        ),
        "orders-0 has nearly all 90.0 k records: stuck at offset 0 or hot.",
    ),
    "uncommitted": (
        listing(
            "orders 0 - 90000 - pay-a-1 /10.0.0.1 pay-a",
            "orders 1 95 100 5 pay-b-1 /10.0.0.2 pay-b",
        ),
        (
            "orders-0 was never committed: between 0 and 90.0 k records wait there, beside 5 that"
            " are known."
        ),
    ),
    "uneven": (
        listing(
            *(f"orders {number} 0 30000 30000 pay-a-1 /10.0.0.1 pay-a" for number in range(4)),
            "orders 4 0 30000 30000 pay-b-1 /10.0.0.2 pay-b",
            "orders 5 0 30000 30000 pay-c-1 /10.0.0.3 pay-c",
        ),
        (
            "pay-a (10.0.0.1) has 120 k records, 2.0 times the mean of 60.0 k:"
            " roundrobin would leave the worst member 60.0 k."
        ),
    ),
    "unknown": (
        listing("- - - - - pay-a-1 /10.0.0.1 pay-a"),
        "No lag of pay is known: the reading has no offsets.",
    ),
    "stalled": (
        later(
            "orders 0 100 {0} pay-a-1 /10.0.0.1 pay-a",
            "orders 1 100 {0} pay-a-1 /10.0.0.1 pay-a",
            "orders 2 {1} pay-b-1 /10.0.0.2 pay-b",
        ),
        (
            "pay-a (10.0.0.1) has read nothing in 600 s: 102 k records wait on 2 partitions while"
            " others move on."
        ),
    ),
    "stuck": (
        later(
            "orders 0 100 {0} pay-a-1 /10.0.0.1 pay-a",
            "orders 1 {1} pay-a-1 /10.0.0.1 pay-a",
            "orders 2 {1} pay-b-1 /10.0.0.2 pay-b",
        ),
        (
            "orders-0 did not move in 600 s: 51.0 k records wait from offset 100, though pay-a"
            " (10.0.0.1) moves other partitions on."
        ),
    ),
    "rewound": (
        later(
            "orders 0 {2} pay-a-1 /10.0.0.1 pay-a",
            "orders 1 {1} pay-b-1 /10.0.0.2 pay-b",
        ),
        "orders-0 went back from 50,000 to 1,000: 49.0 k records are read again.",
    ),
    "slow_member": (
        later(
            *(f"orders {number} {{3}} pay-a-1 /10.0.0.1 pay-a" for number in (0, 1)),
            *(f"orders {number} {{1}} pay-b-1 /10.0.0.2 pay-b" for number in (2, 3)),
            *(f"orders {number} {{1}} pay-c-1 /10.0.0.3 pay-c" for number in (4, 5)),
        ),
        (
            "pay-a (10.0.0.1) reads too slowly: 5,100 on each of its 2 partitions, at most 10 on"
            " the 4 others."
        ),
    ),
    "lagging": (
        listing(
            "orders 0 0 60000 60000 pay-a-1 /10.0.0.1 pay-a",
            "orders 1 0 20000 20000 pay-a-1 /10.0.0.1 pay-a",
            "orders 2 0 9000 9000 pay-b-1 /10.0.0.2 pay-b",
            "orders 3 0 4000 4000 pay-c-1 /10.0.0.3 pay-c",
        ),
        (
            "pay-a (10.0.0.1) has 80.0 k of 93.0 k records on 2 partitions: one reading does not"
            " say why."
        ),
    ),
    "hot_partition": (
        later(
            "orders 0 {4} pay-a-1 /10.0.0.1 pay-a",
            *(f"orders {number} {{1}} pay-a-1 /10.0.0.1 pay-a" for number in (1, 2)),
            *(f"orders {number} {{1}} pay-b-1 /10.0.0.2 pay-b" for number in (3, 4, 5)),
        ),
        "orders-0 has 9,800 of 9,850 records: 6,000 came in 600 s, the median partition got 1,000.",
    ),
    "fine": (
        listing("orders 0 0 10 10 pay-a-1 /10.0.0.1 pay-a"),
        "pay is fine: 10 records on 1 partition, at most 10 on one member.",
    ),
}


def first_sentence(page) -> str:
    return unescape(page.html.split('<p class="verdict advice"><b>')[1].split("</b>")[0])


NOTHING_TO_TRY = ("down", "rebalancing", "unknown")
"""Groups without members or partitions: What-if has nothing to try."""


def overview(page, upload: str) -> str:
    return page.anew().open("overview", opened=upload).component("what")["what"]["sentence"]


def in_share(page, share_id: str) -> str:
    """Return the sentence of a share, which its overview and its answers have."""
    sentence = page.anew().open("shared", share=share_id).component("what")["what"]["sentence"]
    assert first_sentence(page.anew().open("shared", share=share_id, step="0")) == sentence
    return sentence


def frozen(upload: str, kinds=()) -> str:
    what = sharing.freezable(OpenGroup(batch=upload, group_id="pay"), [], 0.1)
    texts = {"title": "now", "note": "", "author": "", "keep": timedelta(days=1)}
    return sharing.freeze(what, redact=kinds, owner=None, forked_from=None, **texts).share_id


def in_report(share_id: str) -> str:
    report = report_files.of_share(open_share(share_id, None), 0, "range").report
    bold = re.search(r"^\*\*(.*?)\*\*", markdown(report), re.MULTILINE)
    return bold[1].replace("\\", "").replace(WORD_JOINER, "")


@pytest.mark.parametrize("code", GROUPS)
def test_pages_share_report_commands_and_library_say_one_sentence(page, tmp_path, capsys, code):
    text, sentence = GROUPS[code]
    (tmp_path / "listing.txt").write_text(text)
    (upload,) = page.paste(text).address.values()
    share_id = frozen(upload)

    assert overview(page, upload) == sentence
    for name in ("compare",) if code in NOTHING_TO_TRY else ("compare", "whatif"):
        assert first_sentence(page.anew().open(name, opened=upload)) == sentence
    assert in_share(page, share_id) == sentence
    assert in_report(share_id) == sentence
    assert [each.sentence for each in summaries(upload)] == [sentence]
    for command in ("diagnose", "compare"):
        assert main([command, str(tmp_path / "listing.txt")]) == 0
        assert capsys.readouterr().out.splitlines()[0] == sentence
    table = evenkeel.read(text).group("pay").compare("range")
    assert (table.diagnosis.sentence, str(table.advice), table.advice.reason) == (
        sentence,
        sentence,
        code,
    )


def test_a_share_opens_as_overview_without_buttons_and_its_tab_has_the_answers(page):
    share_id = frozen(page.paste(SILENT).address["opened"])

    shown = page.anew().open("shared", share=share_id)

    (drawn,) = shown.components("helps")
    assert drawn["what"]["later"] is None
    assert drawn["helps"]["rows"]
    assert {row["tries"] for row in drawn["helps"]["rows"]} == {None}
    assert shown.component("candidate") is None
    assert shown.address == {"share": share_id}
    assert page.anew().open("shared", share=share_id, step="0").component("candidate")


def test_a_share_with_stand_ins_keeps_the_sentence_without_the_names(page):
    share_id = frozen(page.paste(SILENT).address["opened"], KINDS)

    assert (
        in_share(page, share_id)
        == "client-01 (host-01) is stopped or far slower: 40.0 k on each of its 2 partitions, at"
        " most 5 on the 2 others."
    )
    stored = json.dumps(stored_share(share_id, None).result)
    assert not [name for name in ("pay-a", "10.0.0.1", "orders") if name in stored]


def test_a_share_with_stand_ins_keeps_no_reason_of_a_cluster(page):
    listed = "group,topic,partition,committed_offset\npay,orders,0,10\n"
    opened = OpenGroup(batch=page.paste(listed).address["opened"], group_id="pay")
    what = sharing.freezable(opened, [], 0.1)
    reason = "secrettopic: TOPIC_AUTHORIZATION_FAILED"
    answer = diagnosed(what.seen.answer.readings._replace(reason=reason))
    what = what._replace(seen=replace(what.seen, answer=answer))
    texts = {"title": "now", "note": "", "author": "", "keep": timedelta(days=1)}

    share = sharing.freeze(what, redact=KINDS, owner=None, forked_from=None, **texts)

    assert in_share(page, share.share_id) == (
        "No lag of group-01 is known: its end offsets are missing."
    )
    assert "secret" not in json.dumps(stored_share(share.share_id, None).result)


STORY = """\
**pay-a (10.0.0.1) has read nothing in 600 s: 102 k records wait on 2 partitions while others \
move on.** Look at 10.0.0.1: alive, in a long poll, or paused? Restart it, and its partitions go \
to others.

    kafka-consumer-groups.sh --bootstrap-server … --describe --group pay --members

- Lag: 102 k, +200 a minute over 10 m
- Behind: ≥ 10 m, worst partition
- Drained: never, at this pace
- Members: 2, 1 reads nothing

## Who

- pay-a (10.0.0.1): 102 k, 3 in /s, 0 read /s
- pay-b (10.0.0.2): 10, 2 in /s, 2 read /s

## What helps

- Do nothing, no help: the cause stays
- **Look at pay-a**: it may be in a long poll, or paused
- Restart pay-a: what it can read is unknown; 2 move
- More members, no help: partitions stay with members that do not read
- Another assignor, no help: it would not read its 2 partitions either

## Why

Certain. Two readings, 600 s apart. 5 records a second arrive in orders, 2 are read.

Level 2 of 5: offsets and owners."""
"""In 600 s, 1,000 records come into each of three partitions."""


def test_a_report_has_what_who_what_helps_and_why_and_only_a_chosen_candidate(page):
    (upload,) = page.paste(GROUPS["stalled"][0]).address.values()
    what = sharing.freezable(OpenGroup(batch=upload, group_id="pay"), [], 0.1)

    of_nobody, chosen = (report_files.of_view(what, 0, name) for name in ("", "range"))

    text = markdown(of_nobody.report).replace("\\", "").replace("\u202f", " ")
    assert text.startswith("# pay\n\nConsumer group pay. ")
    assert STORY in text
    html = unescape(html_page(*of_nobody[:2]))
    places = [
        html.index(part) for part in ("has read nothing", "Who ", "What helps", "<b>Why.</b>")
    ]
    assert places == sorted(places)
    assert "5 records a second arrive in orders, 2 are read." in html
    for form in (text, html):
        assert "sticky" not in form
    for form in (markdown(chosen.report), unescape(html_page(*chosen[:2]))):
        assert "As the group is listed, " in form
        assert form.index("What helps") < form.index("As the group is listed, ")


def test_a_share_without_a_diagnosis_opens_with_that_of_its_group(page, monkeypatch):
    monkeypatch.setattr(sharing.Freezable, "seen", None)
    share_id = frozen(page.paste(SILENT).address["opened"])

    assert in_share(page, share_id) == GROUPS["silent_member"][1]
