"""Home: what needs the reader first, what recovers or waits for a reading next, the others
below.
"""

from dataclasses import replace

import pytest

from evenkeel.assignors.diagnosis.finding import Class, Code, Severity
from evenkeel.dashboard.groups.choices import ListFilter
from evenkeel.dashboard.groups.tables import segments, shown
from evenkeel.dashboard.groups.words import headline, readers
from evenkeel.data.diagnosis.summary import Summary
from tests.dashboard.pasted import HEADER

_FINE = Summary(
    group_id="g",
    group_class=Class.FINE,
    is_ignored=False,
    code=Code.FINE,
    severity=Severity.OK,
    sentence="",
    advice="",
    command=None,
    short="Fine",
    lag=0,
    lag_text="0",
    lag_note="",
    most_at="",
    host="",
    bars=(),
    member_count=1,
    partition_count=1,
    topics=("orders",),
    names="g\norders\n10.4.1.17",
    rank=(),
    since=None,
    taken_at=None,
    group_type=None,
    assignor=None,
    leader=None,
)


def _rows(**counts: int) -> list[dict]:
    """Return rows of each class; without a diagnosis those of `unknown`."""
    rows = []
    for name, count in counts.items():
        for number in range(count):
            summary = replace(_FINE, group_class=Class(name)) if name != "unknown" else None
            rows.append(
                {
                    "id": f"{name}-{number}",
                    "group_id": f"{name}-{number}",
                    "lag": 0,
                    "names": "",
                    "summary": summary,
                }
            )
    return rows


def _lines(**counts: int) -> list:
    """Return the ids of the lines, and folds as they are."""
    lines = shown(_rows(**counts), ListFilter()).lines
    return [line if isinstance(line, tuple) else line["id"] for line in lines]


@pytest.mark.parametrize(
    ("need", "recover", "last"),
    [
        (3, 12, ("recover", 7)),
        (5, 4, "recover-3"),
        (9, 0, "need-8"),
        (10, 0, ("need", 2)),
        (8, 1, "recover-0"),
        (8, 2, ("recover", 2)),
        (0, 10, ("recover", 2)),
    ],
)
def test_there_are_at_most_nine_lines_and_a_fold_hides_two_at_least(need, recover, last):
    lines = _lines(need=need, recover=recover)

    assert len(lines) == 9
    assert lines[-1] == last


def test_beside_open_alerts_groups_that_recover_are_folded_into_one_line():
    lines = shown(_rows(need=1, recover=12), ListFilter(), is_short=True).lines
    alone = shown(_rows(need=1, recover=1), ListFilter(), is_short=True).lines

    assert [line if isinstance(line, tuple) else line["id"] for line in lines] == [
        "need-0",
        ("recover", 12),
    ]
    assert [line["id"] for line in alone] == ["need-0", "recover-0"]
    many = shown(_rows(need=20, recover=2), ListFilter(), is_short=True).lines
    assert many[2:] == [("need", 18), ("recover", 2)]


def test_more_that_need_the_reader_fold_before_those_that_recover():
    assert _lines(need=20, recover=2)[-2:] == [("need", 13), ("recover", 2)]


def test_an_open_fold_is_followed_by_its_groups_and_the_lines_above_and_below_stay():
    rows = _rows(need=10, recover=11)

    closed, opened, both = (
        shown(rows, ListFilter(more=more)).lines for more in ("", "need", "need,recover")
    )

    assert closed == [*rows[:7], ("need", 3), ("recover", 11)]
    assert opened == [*rows[:7], ("need", 3), *rows[7:10], ("recover", 11)]
    assert both == [*opened, *rows[10:]]


def test_an_open_fold_draws_a_hundred_lines_and_says_where_the_rest_is():
    lines = shown(_rows(need=209), ListFilter(more="need")).lines

    assert len(lines) == 8 + 1 + 100 + 1
    assert lines[8] == ("need", 201)
    assert lines[-1] == "101 more need you: Need you lists all."


def test_the_address_opens_a_fold_and_refuses_a_class_that_has_none(page):
    page.paste(HEADER + "".join(GONE.replace("audit", f"audit-{row}") for row in range(12)))

    other = page.anew().open("start", **page.address | {"more": "need"})

    assert (len(page.findings), len(other.findings)) == (8, 12)
    assert other.component("lines")["lines"][8] == {
        "fold": "need",
        "text": "4 more need you",
        "isOpen": True,
    }
    assert page.anew().open("start", **page.address | {"more": "ignored"}).warnings == [
        "The URL asks for more “ignored”, expected need, recover, later, unknown, fine."
    ]


def test_the_counts_add_up_to_all_and_a_group_without_a_diagnosis_is_unknown():
    counts = shown(_rows(need=2, unknown=1, fine=4), ListFilter()).counts

    assert segments(counts, counts) == {"all": 7, "need": 2, "unknown": 1, "fine": 4}
    assert headline(counts) == [("2", "need you"), ("1", "is unknown"), ("4", "are fine")]


def test_no_group_is_listed_twice():
    part = shown(_rows(need=2, later=1, fine=4, unknown=3), ListFilter())

    lines = [line["id"] for line in part.lines]
    assert lines == ["need-0", "need-1", "later-0"]
    assert [row["id"] for row in part.listed] == [f"fine-{number}" for number in range(4)]


def test_a_chosen_class_is_listed_alone_in_the_table():
    part = shown(_rows(need=2, unknown=1, fine=4), ListFilter(show="need"))

    assert part.lines == []
    assert [row["id"] for row in part.listed] == ["need-0", "need-1"]


def test_a_search_looks_in_all_classes_and_in_hosts():
    rows = _rows(need=1, unknown=2, fine=1)

    by_host = shown(rows, ListFilter(search="10.4.1.17"))
    by_name = shown(rows, ListFilter(search="UNKNOWN-1"))

    assert ([line["id"] for line in by_host.lines], [row["id"] for row in by_host.listed]) == (
        ["need-0"],
        ["fine-0"],
    )
    assert [row["id"] for row in by_name.listed] == ["unknown-1"]
    assert segments(by_name.counts, by_name.passing) == {
        "all": 1,
        "need": 0,
        "unknown": 1,
        "fine": 0,
    }


def test_a_topic_lists_its_readers_alone_and_part_of_a_name_is_no_topic():
    rows = _rows(need=1, fine=1)

    assert len(shown(rows, ListFilter(topic="orders")).listed) == 1
    assert shown(rows, ListFilter(topic="order")).listed == []
    assert (
        len(
            shown(
                [rows[0] | {"summary": None, "names": "orders\nmember-1"}],
                ListFilter(topic="orders"),
            ).listed
        )
        == 1
    )
    assert readers("orders", ["a", "b"]) == "2 groups read orders: a and b."
    assert readers("orders", []) == "No group reads orders."


def test_unknown_groups_alone_have_lines_with_their_sentences_and_no_table():
    rows = [
        row | {"summary": replace(_FINE, group_class=Class.UNKNOWN, code=Code.UNKNOWN)}
        for row in _rows(unknown=11)
    ]

    part = shown(rows, ListFilter())

    assert [line["id"] for line in part.lines[:-1]] == [f"unknown-{number}" for number in range(8)]
    assert part.lines[-1] == ("unknown", 3)
    assert not part.listed


GONE = "audit audit.log 0 10 9010 9000 - - -\n"
KEEPS_UP = "mailer mail.outbox 0 10 12 2 mailer-1-a /10.4.1.20 mailer-1\n"


def test_a_paste_of_several_groups_opens_home_with_the_diagnosis_of_each(page):
    page.paste(HEADER + GONE + KEEPS_UP)

    assert page.counts == "1 needs you, 1 is fine"
    assert page.findings == {
        "audit": "audit has no member in this reading: 9,000 records wait on its 1 partition."
    }
    assert page.groups["mailer"]["most-at"] == "mailer-1"
    assert page.groups["mailer"]["host"] == "10.4.1.20"


def test_the_address_of_a_read_paste_opens_the_same_list_elsewhere(page):
    page.paste(HEADER + GONE + KEEPS_UP)

    other = page.anew().open("start", **page.address)

    assert other.findings == page.findings
    assert other.address == page.address


def test_a_pressed_line_opens_its_group_on_the_first_page_of_a_group(page):
    page.paste(HEADER + GONE + KEEPS_UP)
    page.app.session_state["groups-picked"] = "1"

    page.app.run()

    assert "mailer" in page.html
    assert page.address["place"] == "2"


def test_an_address_of_the_old_list_of_groups_opens_home(page):
    page.open("groups", sort="group", verdict="STALL", quiet="shown")

    assert not page.warnings
    assert page.app.text_area(key="paste")
