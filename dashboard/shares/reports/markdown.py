"""A report as Markdown, for a ticket."""

import re
from collections.abc import Sequence

from evenkeel.dashboard.names import WORD_JOINER, visible
from evenkeel.dashboard.shares.reports.report import Part, Report, facts, finding
from evenkeel.dashboard.shell.answer_words import heading
from evenkeel.dashboard.steps.tables import columns_of, step_columns, step_rows

# Trackers disagree about marks that need escaping: a backslash before each mark is right in all of
# them.
_MARKS = re.compile(r"([\\`*_{}\[\]()#+!|~>@$^=-])")
# They also look for these after they have taken the backslashes out.
_LIVE = re.compile(r"[@#](?=\w)|(?<!\d):(?=[\w+-]+:)")
_ENTITY = re.compile(r"&(?=#|\w)")
_LINK = re.compile(r"(?i)(https?|ftp|mailto|javascript|data)(:)|(www)(\.)")


def markdown(report: Report) -> str:
    """Return the finding, the figures, a table for each step in their order, and the hashes."""
    by = " · ".join(
        [
            *([report.author] if report.author else []),
            *report.times,
            "simulation, nothing was sent to Kafka",
        ]
    )
    return (
        "\n\n".join(
            [
                f"# {plain(report.title)}",
                f"Consumer group {plain(report.group)}. {plain(by)}",
                *([plain(report.note)] if report.note else []),
                *_leading(report.sentences),
                _bold(finding(report)),
                "\n".join(
                    f"- {fact.label}: **{fact.value}** {fact.beside}".rstrip()
                    for fact in facts(report)
                ),
                *(_table(report, step) for step in report.told_steps),
                plain(report.known),
                _foot(report),
            ]
        )
        + "\n"
    )


def _leading(sentences: Sequence[str]) -> list[str]:
    """Return one paragraph, the first sentence in bold; none without a sentence."""
    first, rest = sentences[:1], sentences[1:]
    return (
        [" ".join([f"**{plain(text)}**" for text in first] + [*map(plain, rest)])] if first else []
    )


def plain(text: str) -> str:
    """Return a text that no tracker takes for mark-up, a link or HTML, in one line."""
    line = visible(" ".join(text.split()))
    unlinked = _LINK.sub(
        lambda match: f"{match[1] or match[3]}{WORD_JOINER}{match[2] or match[4]}", line
    )
    still = _ENTITY.sub("&amp;", _LIVE.sub(rf"\g<0>{WORD_JOINER}", unlinked))
    return _MARKS.sub(r"\\\1", still).replace("<", "&lt;")


def _bold(parts: Sequence[Part]) -> str:
    return "".join(
        f"**{plain(part.text)}**" if part.is_strong else f"{_edges(part.text)}" for part in parts
    )


def _edges(text: str) -> str:
    """Return escaped text with the blanks that it has at its ends."""
    inner = plain(text)
    return f"{' ' * text[:1].isspace()}{inner}{' ' * (bool(inner) and text[-1:].isspace())}"


def _table(report: Report, step: int) -> str:
    name = report.names[step - 1] if step else "as listed"
    head = heading(step, name, report.figures[step][report.candidate])
    shown = [
        place for place, column in enumerate(columns_of(report.figures)) if column.kind != "bars"
    ]
    columns = step_columns(report.figures)
    titles = [f"{columns[place]['over']}: {columns[place]['label']}" for place in shown]
    lines = [
        f"## {plain(head.text)}",
        "",
        f"| Assignor | {' | '.join(titles)} |",
        f"|---|{'---:|' * len(shown)}",
    ]
    for row in step_rows(report.figures, step, report.in_use, group_type=report.group_type):
        marks = " ".join(filter(None, [row["note"], row["inUse"], row["warning"]]))
        cells = (
            [plain(row["error"]), *[""] * (len(shown) - 1)]
            if row["error"]
            else [row["cells"][place]["text"] for place in shown]
        )
        lines.append(f"| {plain(row['name'])} {plain(marks)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _foot(report: Report) -> str:
    hashes = [
        f"{name} `{value}`"
        for name, value in (("scenario", report.content_hash), ("result", report.result_hash))
        if value
    ]
    foot = " · ".join([plain(f"Evenkeel {report.engine}, {', '.join(report.settings)}"), *hashes])
    return f"{foot}\n\n<{report.address}>" if report.address else foot
