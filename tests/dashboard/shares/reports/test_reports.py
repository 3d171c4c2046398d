"""A report says what the figures say, opens without a network, and interprets no name."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape

import numpy as np
import plotly.graph_objects as go
import pytest

from evenkeel.assignors.group.drain import Band
from evenkeel.dashboard.parts import frame, labels
from evenkeel.dashboard.parts.frame import load_marker
from evenkeel.dashboard.shares.reports.charts import light, svg
from evenkeel.dashboard.shares.reports.markdown import markdown, plain
from evenkeel.dashboard.shares.reports.pages import Drawing, html_page
from evenkeel.dashboard.shares.reports.report import Report, facts, finding
from evenkeel.dashboard.steps.figures.step_lines import StepLine, step_lines
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
        settings=["Kafka 4.3.1", "a switch is worth it if the gain is at least 10 %"],
        engine="0.1.0",
        content_hash="b70e",
        result_hash="4f1c",
        author="Mira",
        frozen_at=datetime(2026, 11, 22, 14, 2, 11, tzinfo=UTC),
    )


def _text(parts) -> str:
    return "".join(part.text for part in parts)


def test_the_finding_says_what_the_candidate_does_and_what_it_costs(report):
    assert (
        _text(finding(report))
        == "After pay-b dies, lag lowers the worst member to 157\u202fk records; sticky, in use,"
        " raises it to 208\u202fk records. It moves 92 of 6 partitions (18 under sticky) and"
        " pauses 6."
    )


def test_the_facts_are_against_the_assignor_in_use(report):
    assert [(fact.value, fact.beside) for fact in facts(report)] == [
        ("157\u202fk", "−25\u202f% of 208\u202fk"),
        ("92", "18 in use"),
        ("92", "18 in use"),
        ("0", "0 in use"),
    ]


def test_an_unknown_lag_is_not_a_number(report):
    unknown = scenario(
        {"lag": {}},
        {"lag": {"lag_before": None, "lag": None, "max_lag_share": None, "moved_partitions": None}},
    )

    assert (
        _text(finding(replace(report, figures=unknown, in_use=None)))
        == "After pay-b dies, lag leaves the worst member at an unknown lag. The moves are unknown,"
        " because the input does not have the owners."
    )


@pytest.mark.parametrize("field", ["title", "group", "author", "note", "known"])
def test_a_page_shows_texts_of_strangers_as_they_are(report, field):
    page = html_page(replace(report, **{field: EVIL}), [])

    assert EVIL not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_a_step_and_a_name_in_a_figure_are_not_interpreted(report):
    figure = frame.figure(100)
    frame.label(
        figure, f"<b>{labels.plain(EVIL)}</b> <i onload=x>a", 0, 1, xref="paper", yref="paper"
    )
    page = html_page(replace(report, names=[EVIL]), [Drawing(EVIL, figure)])

    assert EVIL not in page
    assert "onload" not in page
    assert '<tspan font-weight="600">&lt;script&gt;alert(1)&lt;/script&gt;</tspan> a</text>' in page


def test_a_page_turns_the_direction_of_no_text(report):
    page = html_page(replace(report, author="\u202eMira", names=["\u2066x"]), [])

    assert "\\u202eMira" in page
    assert "\u202e" not in page
    assert "\u2066" not in page


def test_heads_of_a_table_stand_over_their_columns(report):
    page = html_page(report, [])

    assert '<th class="over" colspan="5">Worst member</th>' in page
    assert "All 1 steps" not in page


def test_a_page_names_no_other_server_has_no_script_and_fits_a_mail(report):
    page = html_page(report, [Drawing("Worst", bars())])

    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    named = page.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert dict(each.split(maxsplit=1) for each in policy.split("; ")) == {
        "default-src": "'none'",
        "style-src": "'unsafe-inline'",
        "font-src": "data:",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert "http://" not in named
    assert "https://" not in named
    assert "<script" not in page
    assert 'src="' not in page
    assert len(page) < 300_000


def bars(color: str = CANDIDATE) -> go.Figure:
    """Return two bars of a length of 1 and 2 on an axis from 0 to 4; the second is hollow."""
    figure = frame.figure(140, left=20, top=20, bottom=20)
    marks = load_marker(color, [False, True], [False, False])
    figure.add_bar(orientation="h", x=[1, 2], y=[0, 1], width=0.5, offset=-0.25, marker=marks)
    ticks = [0, 4], ["0", "4"]
    figure.update_layout(xaxis=frame.value_axis(ticks, range=[0, 4]), yaxis={"range": [1.5, -0.5]})
    return figure


def test_bars_of_a_report_have_their_lengths_and_the_light_colours():
    drawn = svg(bars(), 228)

    # The plot has 200 pixels by 100: a row has 50, a bar half of them.
    assert '<rect x="20.0" y="32.5" width="50.0" height="25.0" rx="2" fill="#D55E00"/>' in drawn
    assert (
        '<rect x="20.0" y="82.5" width="100.0" height="25.0" rx="2" fill="#FFFFFF" stroke="#D55E00"'
        in drawn
    )
    assert '<text x="220.0" y="137.0" font-size="11" text-anchor="middle"' in drawn


def test_a_line_of_a_report_ends_where_a_value_is_unknown():
    lines = [
        StepLine(
            "lag", "candidate", np.array([10.0, np.nan, 5.0]), np.zeros(3, bool), np.full(3, np.nan)
        )
    ]

    drawn = svg(step_lines(lines, 1), 300)

    assert "nan" not in drawn
    assert drawn.count('fill="#D55E00" vector-effect') == 2
    assert 'stroke="#D55E00"' not in drawn


def test_figures_of_a_notebook_have_the_light_colours():
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
            "Mira · frozen 22 Nov 2026, 14:02:11 UTC · read from the cluster production ·"
            " simulation" in text
        )
        assert (
            "Evenkeel 0.1.0, Kafka 4.3.1, a switch is worth it if the gain is at least 10 %" in text
        )
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

    assert "<th>drained in</th>" in page
    assert ">40–50\u202fm</td>" in page
    assert "Drained in: time until the lag is 0" in page
    assert 'class="before"' not in page
    assert 'class="before"' in html_page(report, [])
    assert "By history: drained in" in markdown(timed)
    assert "| 40–50\u202fm |" in markdown(timed)
    assert "drained in" not in markdown(report) + html_page(report, [])
