"""Rebalances: a log that is pasted, what the page says of it, what the address holds, and names
that are hostile.
"""

import re

import pyarrow as pa
import pytest

from evenkeel.dashboard.rebalances.loading import logs
from evenkeel.dashboard.rebalances.loading.lake import GenerationGrowth, with_rebalances
from evenkeel.dashboard.rebalances.loading.logs import freezable_rebalances
from evenkeel.dashboard.rebalances.words import seen_words
from evenkeel.dashboard.server.metrics import RebalanceGauges
from evenkeel.dashboard.shares import menu
from evenkeel.dashboard.shares.loading import frozen as shares
from evenkeel.dashboard.shares.loading.frozen import freeze, names_in, usual_expiry
from evenkeel.dashboard.shell.cache import ALL
from evenkeel.data import clock
from evenkeel.data.configuration import configuration
from evenkeel.data.rebalances.store import add_to_lake, log_home, store_logs, told_in_lake
from evenkeel.data.shares.redaction import KINDS
from evenkeel.data.sources.examples.worked_examples import example_log
from tests.dashboard.shares_by_hand import answered
from tests.data.rebalances.records import classic, dump, member
from tests.data.rebalances.test_from_log import A, B, adds, begins, ends, log
from tests.data.rebalances.test_history import RESTART, SLOW, read

_NOON = 1_795_435_200


def opened(page, *logs, records=(), **link):
    dumps = [("dump.jsonl", dump(*records))] if records else []
    found = store_logs(
        configuration().lake,
        [(f"server-{number}.log", text) for number, text in enumerate(logs)],
        dumps,
    )
    return page.open("rebalances", log=found, **link)


def sentence(page) -> str:
    return page.html.split('<p class="verdict">')[1].split("</p>")[0]


def test_a_log_that_is_pasted_on_the_start_page_opens_its_rebalances(page):
    page.paste(RESTART.decode())

    assert (
        sentence(page)
        == "<b>The restart of 2 members caused 4 rebalances.</b> With group.instance.id, 0"
        " rebalances would remain."
    )
    assert page.kpis["Rebalances, 14 s"] == "4"
    assert page.kpis["Avoidable"] == "4 of 4"
    assert page.kpis["Generation"] == "6"
    assert len(page.address["log"]) == 22


_CLIENT = (
    "2026-11-20 09:15:02,100 INFO [Consumer clientId=pay-a, groupId=pay] {}\n"
    "2026-11-20 09:15:05,200 INFO [Consumer clientId=pay-a, groupId=pay] {}\n"
)


def test_a_client_s_log_that_is_pasted_opens_its_rebalances_and_says_whose_view_it_is(page):
    page.paste(
        _CLIENT.format(
            "Request joining group due to: cached metadata has changed",
            "Successfully joined group with generation Generation{generationId=7,"
            " memberId='pay-a-1', protocol='range'}",
        )
    )

    assert page.kpis["Generation"] == "7"
    assert [toast.value for toast in page.app.toast] == [
        "These lines are of clients (Java consumer, 1 member): each line says why its member"
        " rejoined, not which other members did."
    ]


def test_a_client_s_log_without_a_generation_says_that_there_is_nothing_to_draw(page):
    page.paste(
        _CLIENT.format(
            "(Re-)joining group", "Attempt to heartbeat failed since group is rebalancing"
        )
    )

    (error,) = page.app.error
    assert "no rebalance can be drawn" in error.value


def test_the_worked_example_tells_each_thing_that_was_done_to_its_group(page):
    page.open("rebalances")

    page.app.button(key="log-example").click().run()

    assert (
        sentence(page)
        == "<b>The restart of 6 members caused 12 rebalances.</b> With group.instance.id, 0"
        " rebalances would remain."
    )
    # A log says no timeout: what is computed from one says what is assumed.
    rows = causes(page)
    settings = [row["Setting"] for row in rows.values() if "note" in row["Setting"]]
    assert [(setting["text"], setting["note"]) for setting in settings] == [
        ("max.poll.interval.ms=360000", "5 m assumed"),
        ("session.timeout.ms=120000", "45 s assumed"),
    ]
    assert (
        settings[0]["title"] == "max.poll.interval.ms is unknown, so Kafka's default"
        " is assumed. If your value differs, raise it by 1 m."
    )
    assert (
        rows["poll timeout"]["Advice"]["text"]
        == "back 7 s after its timeout: fetch fewer records, or raise the timeout"
    )
    assert "one batch took" not in page.html + str(rows)
    assert "silent" not in str(rows)
    assert list(rows) == [
        "restarted",
        "member joined",
        "poll timeout",
        "failed heartbeat",
        "partitions changed",
    ]


def all_of(page) -> str:
    """Return all that the page says, with the table by cause."""
    return page.html + "\n".join(
        cell.get("text", "") for row in causes(page).values() for cell in row.values()
    )


def causes(page) -> dict[str, dict]:
    """Return the cells of the table by cause, by the names of the columns."""
    data = page.component("candidate")
    heads = [column["label"] for column in data["columns"]]
    return {
        row["cells"][0]["text"]: dict(zip(heads, row["cells"], strict=True)) for row in data["rows"]
    }


def test_the_open_one_shows_its_lines_with_what_was_matched_and_the_chosen_ones_with_other_settings(
    page,
):
    opened(page, RESTART, rebalance="1")

    assert "<b>12:00:00 pay-a restarted</b>" in page.html
    assert "<mark>on LeaveGroup</mark>" in page.html
    assert (
        "<tr><th><b>static members</b> <small>group.instance.id</small></th><td"
        ' class="better">0</td>' in page.html
    )
    # The lengths are known, whoever owned what.
    assert (
        '<th>as it was <small></small></th><td class="">4</td><td class="">–</td><td'
        ' class="">4.0\u202fs</td>' in page.html
    )
    assert page.address["rebalance"] == "1"


def test_an_address_with_a_cause_shows_its_rebalances_alone_and_later_walks_through_them(page):
    example(page, cause="poll_timeout")

    assert (page.component("candidate")["candidate"], page.address["cause"]) == (
        "poll_timeout",
        "poll_timeout",
    )
    lanes = page.figure(1)
    assert lanes_of(lanes) == len(strip_of(page.figure(0))) == 2
    assert titles(lanes)[0].startswith("<b>Poll timeout: the 2 of ")

    page.app.button(key="rebalance-chevron_right").click().run()
    assert page.app.button(key="rebalance-chevron_right").disabled
    assert page.address["cause"] == "poll_timeout"


def test_the_columns_that_answer_the_pointer_cover_no_other_stem(page):
    example(page)
    bars = next(trace for trace in page.figure(0)["data"] if trace["type"] == "bar")

    at, width = ([float(value) for value in bars[key]] for key in ("x", "width"))
    assert max(width) > 4 * min(width)
    for place, (before, after) in enumerate(zip(at, at[1:], strict=False)):
        # Those of stems that nobody can tell apart have the least width.
        assert (
            max(width[place], width[place + 1]) == min(width)
            or max(width[place], width[place + 1]) / 2 < after - before
        )


def test_earlier_and_later_walk_through_all_rebalances_and_bring_the_burst_of_one_that_is_not_shown(
    page,
):
    example(page)
    shown = lanes_of(page.figure(1))
    for _ in range(20):
        if page.app.button(key="rebalance-chevron_right").disabled:
            break
        page.app.button(key="rebalance-chevron_right").click().run()

    assert shown == 12
    assert lanes_of(page.figure(1)) < 12
    assert (
        int(page.address["rebalance"])
        == int(page.kpis[next(iter(page.kpis))])
        == int(page.address["to"])
    )


@pytest.mark.parametrize("cause", ["member_left", "<b>", ""])
def test_an_address_with_a_cause_that_the_log_does_not_have_shows_what_is_chosen_at_first(
    page, cause
):
    opened(page, RESTART, cause=cause)

    assert lanes_of(page.figure(1)) == 4
    assert page.component("candidate")["candidate"] is None
    assert "cause" not in page.address


def example(page, **link):
    return page.open("rebalances", log=store_logs(configuration().lake, [example_log()]), **link)


def lanes_of(figure) -> int:
    """Return how many rows the lanes have."""
    return len(figure["layout"]["yaxis"]["tickvals"])


def strip_of(figure) -> list[float]:
    """Return when the stems begin that are not dim."""
    marks = [one for one in figure["data"] if one.get("mode") == "markers" and one["opacity"] == 1]
    return [at for one in marks for at in one["x"]]


def titles(figure) -> list[str]:
    return [
        note["text"] for note in figure["layout"]["annotations"] if "one per row" in note["text"]
    ]


def test_records_beside_the_log_tell_what_moved(page):
    records = [
        classic(
            "pay",
            2,
            member(A, "pay-a", [0]),
            member(B, "pay-b", [1]),
            at=(_NOON - 60) * 1000,
            leader=B,
        ),
        classic("pay", 3, member(B, "pay-b", [0, 1]), at=(_NOON + 1) * 1000, leader=B),
    ]

    opened(
        page,
        log(begins(0, 2, f"removing member {A} on heartbeat expiration."), *ends(1, 3, 1, B)),
        records=records,
        rebalance="2",
    )

    assert "1 partition to 1 member" in page.html
    assert "<li>orders-0 → pay-b</li>" in page.html
    assert "<b>pay-a</b> sent no heartbeat for 45 s, its session timeout" in page.html


def test_a_zone_of_the_log_moves_its_times_and_stands_in_the_address(page):
    opened(page, RESTART, **{"log-zone": "Europe/Berlin", "rebalance": "1"})

    # Noon in Berlin in November is 11:00 UTC.
    assert "<b>11:00:00 pay-a restarted</b>" in page.html
    # A line is quoted as it stands, whatever zone the page has.
    assert "<time>12:00:00,000</time>Preparing to rebalance" in page.html
    assert page.address["log-zone"] == "Europe/Berlin"


def test_groups_are_named_by_their_place_and_never_in_the_address(page):
    other = log(begins(0, 0, adds(A), group="billing"), *ends(1, 1, 1, group="billing"))

    opened(page, RESTART, other, place="2")

    assert '<h1 class="scope-title" title="billing">' in page.html
    assert page.address["place"] == "2"
    assert "billing" not in str(page.address)


def test_hostile_names_and_reasons_are_text(page):
    name, said = "<img src=x onerror=alert(1)>", "</p><script>alert(1)</script> Stabilized group"

    opened(page, log(begins(0, 4, adds(f"<b>{A}", said=said), group=name), *ends(1, 5, group=name)))

    assert "<img src=x" not in page.html
    assert "<script>alert" not in page.html
    assert "&lt;/p&gt;&lt;script&gt;" in page.html


def test_a_name_that_turns_the_text_around_it_is_written_as_its_code(page):
    hostile = "\u202eyap-b"
    slow, names = (
        text.replace(b"pay-b", hostile.encode()).replace(b"pay-a", b"\xe2\x80\xaea")
        for text in (SLOW, RESTART)
    )

    told, again = (all_of(opened(one, text)) for one, text in ((page, slow), (page.anew(), names)))

    assert r"waited 6 s for \u202eyap-b, which ran out" in told
    assert r"waited for \u202eyap-b" in told
    assert r"<dd><b>\u202eyap-b</b>" in told
    assert r"group.instance.id=\u202ea, each its own" in again
    assert "\u202e" not in told + again


def test_a_share_shows_the_same_events_evidence_and_sentence_after_the_log_is_gone(
    page, cookies, monkeypatch
):
    found = store_logs(configuration().lake, [("server.log", RESTART)])
    page.open("rebalances", log=found, **{"log-zone": "Europe/Berlin", "rebalance": "2"})
    before = drawn(page)
    # AppTest runs no fragment alone.
    monkeypatch.setattr(menu.st, "rerun", lambda scope="app": None)
    for title in ("", "Who restarted?"):
        page.app.session_state["share-asked"] = True
        page.app.run()
        if title:
            page.app.text_input(key="share-title").set_value(title)
            page.app.button(key="share-freeze").click()
            page.app.session_state["share-asked"] = True
            page.app.run()
    share_id = page.app.session_state["share-made"]
    log_home(configuration().lake, found).delete_all()
    ALL.clear()

    again = page.anew().open("shared", share=share_id, rebalance="2")

    assert not again.errors
    assert not again.app.exception
    assert drawn(again) == before
    assert "Frozen – not live" in again.html
    assert "the log&#x27;s times are Europe/Berlin" in again.html
    assert again.address == {"share": share_id, "rebalance": "2"}


def drawn(page) -> tuple[str, ...]:
    """Return the numbers, the sentence, the open rebalance and the causes."""
    parts = (
        page.html.split('<p class="verdict">')[1],
        page.html.split('<p class="rebalance-head">')[1],
    )
    numbers = [
        page.kpis[label]
        for label in ("Rebalances, 14 s", "Paused", "Longest", "Avoidable", "Generation")
    ]
    return str(numbers), parts[0].split("</p>")[0], parts[1].split("</table>")[0], str(causes(page))


def test_the_dialog_suggests_a_title_and_says_what_leaves_with_the_chosen_stand_ins(page, cookies):
    opened(page, RESTART)

    as_it_is = dialog(page)
    hidden = dialog(page, "group name", "members")

    assert as_it_is == (
        "Rebalances of pay, 2026-11-23",
        {
            "group": "pay",
            "numbers": "4 rebalances",
            "evidence": "12 lines of logs, unchanged, with the reasons that clients gave",
        },
    )
    assert hidden[0] == "Rebalances, 2026-11-23"
    assert hidden[1] == as_it_is[1] | {
        "group": "group-01",
        "evidence": (
            "12 lines of logs: stand-ins for each member and group, the rest unchanged, with the"
            " reasons that clients gave"
        ),
    }
    assert dialog(page)[0] == "Rebalances of pay, 2026-11-23"


def test_the_suggested_title_does_not_name_a_group_that_leaves_as_a_stand_in_however_short_it_is(
    page, cookies
):
    opened(page, RESTART.replace(b"group pay ", b"group ab "))

    assert dialog(page)[0] == "Rebalances of ab, 2026-11-23"
    assert dialog(page, "group name")[0] == "Rebalances, 2026-11-23"


def test_a_title_that_somebody_has_typed_stays_whatever_leaves(page, cookies):
    opened(page, RESTART)
    dialog(page)
    page.app.session_state["share-title"] = "Who restarted?"

    assert dialog(page, "group name")[0] == "Who restarted?"


def dialog(page, *kinds):
    """Open the dialog with these stand-ins; return the title, and what is inside."""
    page.app.session_state["share-asked"] = True
    page.app.session_state["share-kinds"] = list(kinds)
    page.app.run()
    inside = dict(
        re.findall(
            "<dt>(group|numbers|evidence)</dt><dd>([^<]*)</dd>",
            page.html.split('<dl class="inside">')[1],
        )
    )
    return page.app.text_input(key="share-title").value, inside


def test_a_share_with_stand_ins_says_the_same_without_a_name(page, cookies):
    found = store_logs(configuration().lake, [("wombat.log", RESTART)])
    page.open("rebalances", log=found)
    numbers = page.kpis
    what = freezable_rebalances(found, "pay", None)
    made = freeze(
        what,
        title="hidden",
        note="",
        author="",
        keep=usual_expiry(),
        redact=KINDS,
        owner=None,
        forked_from=None,
    )

    again = page.anew().open("shared", share=made.share_id, rebalance="1")

    assert again.kpis.items() >= numbers.items()
    assert (
        sentence(again)
        == "<b>The restart of 2 members caused 4 rebalances.</b> With group.instance.id, 0"
        " rebalances would remain."
    )
    assert "<b>12:00:00 client-01 restarted</b>" in again.html
    assert (
        "Removing member member-01 <mark>on LeaveGroup</mark>; client reason: the consumer is being"
        " closed" in again.html
    )
    assert [name for name in ("pay", "wombat") if name in again.html] == []
    head, first, *_ = (document := answered(made.share_id))["result"]
    assert (document["scenario"]["format"], first["schema"], first["group"]) == (
        "evenkeel.rebalances/1",
        "evenkeel.rebalance/1",
        "group-01",
    )
    assert (head["source"], head["cluster"]) == (None, None)


def test_a_touch_of_the_dialog_neither_freezes_again_nor_searches_names_again(page, monkeypatch):
    log_id = store_logs(configuration().lake, [("server.log", RESTART)])
    computed = []
    for module, name in ((logs, "frozen"), (shares, "preview")):
        monkeypatch.setattr(
            module,
            name,
            lambda *args, name=name, make=getattr(module, name): (
                computed.append(name) or make(*args)
            ),
        )

    found = [
        [row.stand_in for row in names_in(freezable_rebalances(log_id, "pay", None), kinds)]
        for kinds in ((), KINDS, (), KINDS)
    ]

    assert computed == ["frozen", "preview", "preview"]
    assert found[:2] == found[2:]
    assert not any(found[0])
    assert any(found[1])


def test_a_share_never_opens_as_a_log_where_nothing_says_that_it_is_frozen(page, cookies):
    found = store_logs(configuration().lake, [("server.log", RESTART)])
    what = freezable_rebalances(found, "pay", None)
    made = freeze(
        what,
        title="frozen",
        note="",
        author="",
        keep=usual_expiry(),
        redact=(),
        owner=None,
        forked_from=None,
    )

    page.open("rebalances", log=f"share:{made.share_id}")

    (refused,) = page.app.warning
    assert (
        refused.value.replace("\\", "")
        == "The URL names a share instead of a log. Open the share with its own link."
    )
    assert "verdict" not in page.html


@pytest.mark.parametrize("log_id", ["A" * 22, "../../etc/passwd", "x"])
def test_an_address_of_a_log_that_is_gone_says_so_and_offers_the_ways_to_one(page, log_id):
    page.open("rebalances", log=log_id)

    assert page.app.warning
    assert "Why did the group rebalance, when, and how long?" in page.html


def test_a_text_without_a_message_says_which_logger_is_needed(page):
    page.open("rebalances")
    page.app.text_area(key="log-paste-first").set_value(
        "[2026-11-23 12:00:00,000] INFO nothing of a coordinator"
    ).run()
    page.app.button(key="read-log-first").click().run()

    assert "org.apache.kafka.coordinator.group" in page.app.error[0].value.replace("\\", "")


def test_without_a_log_the_page_has_the_groups_of_the_chosen_cluster(page):
    page.open("rebalances", cluster="example")

    assert page.app.selectbox(key="log-group").options[:2] == ["notifier", "feature-store"]
    assert page.kpis["Rebalances, 35m 2s"] == "6"
    assert page.address == {"cluster": "example", "group": "notifier"}

    page.app.selectbox(key="log-group").select("feature-store").run()

    assert page.address == {"cluster": "example", "group": "feature-store"}


def test_the_tab_of_a_group_that_did_not_rebalance_says_so_and_how_a_log_tells_more(page):
    page.open("rebalances", cluster="example", group="invoice-writer")

    assert sentence(page) == (
        "<b>invoice-writer has not rebalanced in 24 h: one generation in 1,441 readings, the last"
        " at 14:02.</b>"
    )
    assert "A broker's log shows causes, lengths and members" in page.html
    assert "Why did the group rebalance" not in page.html


def test_readings_count_the_growth_of_the_generation_and_say_that_the_cause_is_unknown():
    seen = GenerationGrowth(60, _NOON, _NOON + 3600, 3, _NOON + 1800)

    assert seen_words("pay", seen) == (
        "pay rebalanced 3 times in 1 h; the last rebalance was before 12:30. Its readings do not"
        " show why."
    )
    assert seen_words("pay", seen._replace(rebalances=None, last=None)) == (
        "Whether pay rebalanced is unknown: its readings have no generation."
    )


def test_restarts_of_one_member_are_avoidable_by_the_stable_id_that_the_table_names(page):
    page.open("rebalances", cluster="example", group="notifier")

    # Its member restarts six times and is away for 3 s, within a session of 45 s.
    assert page.kpis["Avoidable"] == "6 of 6"
    (row,) = page.component("columns")["rows"]
    cells = [cell.get("text", "") for cell in row["cells"]]
    assert cells[1] == "6"
    assert cells[-2:] == ["group.instance.id=notifier-2, each its own", "0 instead of 6"]


def test_the_lake_tells_timeline_groups_and_metrics_of_the_last_hour(page, monkeypatch):
    lake = configuration().lake
    monkeypatch.setattr(clock, "seconds", lambda: _NOON + 600.0)
    ALL.clear()
    add_to_lake(lake, read(RESTART).events, "production")

    (gauge,) = RebalanceGauges().collect()
    groups = with_rebalances("production", pa.table({"group_id": ["pay", "other"]}))

    assert [(one.labels, one.value) for one in gauge.samples] == [
        ({"cluster": "production", "group": "pay", "cause": "restarted"}, 4)
    ]
    assert groups["rebalances_hour"].to_pylist() == [4, None]
    assert groups["rebalances_kind"].to_pylist() == ["restarted", None]
    assert told_in_lake(lake, "production", "pay", _NOON + 1, _NOON + 9) == [_NOON + 4, _NOON + 8]
    # Before the log nothing is known: readings count there.
    assert told_in_lake(lake, "production", "pay", _NOON - 600, _NOON + 9) is None


def test_the_sentence_says_for_whom_the_longest_waited_and_nothing_of_a_timeout_that_no_record_says(
    page,
):
    opened(page, SLOW)

    assert sentence(page).endswith(
        "The longest, 6.0 s, waited 6 s for pay-b, which ran out of its poll interval."
    )
    late = causes(page)["poll timeout"]
    assert (
        late["Advice"]["text"]
        == "back 2 s after its timeout: fetch fewer records, or raise the timeout"
    )
    assert late["count"]["title"] == "In these rebalances another cause came first"
    assert "302" not in page.html + str(causes(page))


def test_members_that_restart_at_once_are_restarted_wherever_the_page_names_it(page):
    page.open("rebalances", cluster="example", group="payments")

    # Overview says of this moment: all 4 members restarted.
    assert sentence(page) == (
        "<b>The restart of 4 members caused 1 rebalance.</b> With group.instance.id, 0"
        " rebalances would remain."
    )
    assert "payments-1 restarted" in page.html
    assert "<b>payments-1</b> left and came back" in page.html
    (row,) = page.component("candidate")["rows"]
    assert [cell["text"] for cell in row["cells"] if "text" in cell][:5] == [
        "restarted",
        "1",
        "3.2\u202fs",
        "3.2 s",
        "all 4",
    ]


def test_nobody_is_back_in_an_empty_group_and_no_setting_is_named_that_does_not_help(page):
    page.open("rebalances", cluster="example", group="email-sender")

    assert "no member: the group is empty" in page.html
    assert "all rejoined after" not in page.html
    assert "Avoidable" not in page.kpis
