"""A report says what the figures say, opens without a network, and interprets no name."""

import re
from base64 import b64encode
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from html import unescape

import numpy as np
import plotly.graph_objects as go
import pytest

from evenkeel.assignors.group.drain import Band
from evenkeel.dashboard.shares.reports.charts import light
from evenkeel.dashboard.shares.reports.markdown import markdown, plain
from evenkeel.dashboard.shares.reports.pages import Drawing, html_page
from evenkeel.dashboard.shares.reports.report import Report, facts, finding
from evenkeel.dashboard.theme import CANDIDATE
from evenkeel.data.scenarios.drains import GroupDrain
from evenkeel.data.scenarios.run.step_drains import StepDrain
from tests.dashboard.stepped import scenario

EVIL = "<script>alert(1)</script>"


@pytest.fixture
def report() -> Report:
    figures = scenario(
        {"sticky": {}, "lag": {}},
        {
            "sticky": {"lag_before": 200, "lag": 208_000, "moved_partitions": 18},
            "lag": {"lag_before": 200_000, "lag": 157_000, "moved_partitions": 92},
        },
    )
    return Report(
        title="lag or sticky?",
        group="payments",
        step=1,
        names=["pay-b dies"],
        figures=figures,
        candidate="lag",
        in_use="sticky",
        group_type="classic",
        sentences=("orders-7 has no owner.", "See who should read it."),
        known="Level 4 of 5.",
        settings=["Kafka 4.3.1", "a switch is worth it from a gain of 10 % on"],
        gain=0.1,
        engine="0.1.0",
        content_hash="b70e",
        result_hash="4f1c",
        author="Mira",
        frozen_at=datetime(2026, 11, 22, 14, 2, 11, tzinfo=UTC),
    )


def _text(parts) -> str:
    return "".join(part.text for part in parts)


def test_the_finding_says_what_the_candidate_does_and_what_it_costs(report):
    assert _text(finding(report)) == (
        "After pay-b dies, lag lowers the worst member to 157\u202fk records; sticky, in use, raises it to 208\u202fk records. "
        "It moves 92 of 6 partitions (18 under sticky) and pauses 6."
    )


def test_the_facts_are_against_the_assignor_in_use(report):
    assert [(fact.value, fact.beside, fact.tone) for fact in facts(report)] == [
        ("157\u202fk", "−25\u202f% of 208\u202fk", "better"),
        ("92", "18 in use", ""),
        ("92", "18 in use", ""),
        ("0", "0 in use", ""),
    ]


def test_an_unknown_lag_is_not_a_number(report):
    unknown = scenario(
        {"lag": {}},
        {"lag": {"lag_before": None, "lag": None, "max_lag_share": None, "moved_partitions": None}},
    )

    assert _text(finding(replace(report, figures=unknown, in_use=None))) == (
        "After pay-b dies, lag leaves the worst member at an unknown lag. What moves is unknown: the input does not name the owners."
    )


@pytest.mark.parametrize("field", ["title", "group", "author", "note", "known"])
def test_a_page_shows_texts_of_strangers_as_they_are(report, field):
    page = html_page(replace(report, **{field: EVIL}), [])

    assert EVIL not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_a_step_and_a_name_in_a_figure_are_not_interpreted(report):
    page = html_page(
        replace(report, names=[EVIL]),
        [Drawing(EVIL, go.Figure(go.Bar(x=[1], y=[f"</script>{EVIL}"])))],
    )

    assert EVIL not in page
    assert "\\u003c\\u002fscript\\u003e" in page


def test_a_page_turns_the_direction_of_no_text(report):
    page = html_page(replace(report, author="\u202eMira", names=["\u2066x"]), [])

    assert "\\u202eMira" in page
    assert "\u202e" not in page.partition("<script>")[0]
    assert "\u2066" not in page.partition("<script>")[0]


def test_heads_of_a_table_stand_over_their_columns(report):
    page = html_page(report, [])

    assert '<th class="over" colspan="5">Worst member&#39;s lag</th>' in page
    assert '<th class="over" colspan="3">All steps</th>' in page


def test_a_page_names_no_other_server(report):
    page = html_page(report, [Drawing("Worst", go.Figure(go.Bar(x=[1], y=["a"])))])

    head = page[: page.index("<script>")]
    assert "http://" not in head
    assert "https://" not in head
    assert 'src="' not in page[: page.index("<main>")]


def test_a_page_allows_its_own_scripts_by_their_text_and_nothing_of_others(report):
    page = html_page(report, [Drawing("Worst", go.Figure(go.Bar(x=[1], y=["a"])))])

    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    hashes = [
        b64encode(sha256(text.encode()).digest()).decode()
        for text in re.findall("<script>(.*?)</script>", page, re.DOTALL)
    ]
    assert len(hashes) == 2
    assert dict(each.split(maxsplit=1) for each in policy.split("; ")) == {
        "default-src": "'none'",
        "style-src": "'unsafe-inline'",
        "script-src": " ".join(f"'sha256-{each}'" for each in hashes),
        "font-src": "data:",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def test_figures_of_a_report_have_the_light_colours():
    figure = light(go.Figure(go.Bar(x=[1], y=["#000002 stays"], marker_color=CANDIDATE)))

    assert figure.data[0].marker.color == "#D55E00"
    assert figure.data[0].y == ("#000002 stays",)


def test_markdown_has_the_finding_a_table_and_the_hashes(report):
    text = markdown(report)

    assert text.startswith(
        "# lag or sticky?\n\nConsumer group payments. Mira · frozen 22 Nov 2026, 14:02:11 UTC"
    )
    assert "**orders\\-7 has no owner.** See who should read it." in text
    assert (
        "After pay\\-b dies, **lag** lowers the worst member **to 157\u202fk records**"
        in text.replace("157 k", "157\u202fk")
    )
    assert "| lag KAFKA\\-5337 | 2 / 2 |" in text
    assert text.endswith("scenario `b70e` · result `4f1c`\n")


def test_both_forms_say_who_froze_it_when_from_where_with_which_settings_and_under_which_address(
    report,
):
    told = replace(
        report,
        source="the cluster production",
        address="https://evenkeel.example/shared?share=x&step=1",
    )

    for text in (unescape(html_page(told, [])), markdown(told).replace("\\", "")):
        assert (
            "Mira · frozen 22 Nov 2026, 14:02:11 UTC · read from the cluster production · simulation"
            in text
        )
        assert "Evenkeel 0.1.0, Kafka 4.3.1, a switch is worth it from a gain of 10 % on" in text
        assert "https://evenkeel.example/shared?share=x&step=1" in text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<b>x</b>", "&lt;b\\>x&lt;/b\\>"),
        ("a|b", "a\\|b"),
        ("[x](javascript:alert(1))", "\\[x\\]\\(javascript\u2060:alert\\(1\\)\\)"),
        ("https://evil.example", "https\u2060://evil.example"),
        ("@all #1", "\\@\u2060all \\#\u20601"),
        (":smile: a:b", ":\u2060smile: a:b"),
        ("$x$ &lt;", "\\$x\\$ &amp;lt;"),
        ("a\u202eb", "a\\\\u202eb"),
        ("a\n# b", "a \\# b"),
    ],
)
def test_markdown_takes_no_text_for_mark_up(text, shown):
    assert plain(text) == shown


def test_times_to_drain_stand_in_both_forms_and_take_the_place_of_bars_on_paper(report):
    drain = StepDrain(
        GroupDrain(Band(*map(np.float64, (2400, 2700, 3000))), 0.0), assumed_capacities=1
    )
    step = report.figures[1]
    timed = replace(
        report, figures=[report.figures[0], step | {"lag": replace(step["lag"], drain=drain)}]
    )

    page = html_page(timed, [])

    assert "<th>drains in</th>" in page
    assert ">40–50\u202fm</td>" in page
    assert "Drains in: until nothing is behind" in page
    assert 'class="before"' not in page
    assert 'class="before"' in html_page(report, [])
    assert "By history: drains in" in markdown(timed)
    assert "| 40–50\u202fm |" in markdown(timed)
    assert "drains in" not in markdown(report) + html_page(report, [])
