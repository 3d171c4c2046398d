"""A report as Markdown, for a ticket."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evenkeel.dashboard.names import WORD_JOINER, visible
from evenkeel.dashboard.shares.reports.report import Part, Report, facts, finding, why
from evenkeel.dashboard.shell.answer_words import heading
from evenkeel.dashboard.steps.tables import columns_of, step_columns, step_rows

# Trackers disagree about which marks need escaping. A backslash before every mark is right in all
# trackers.
_MARKS = re.compile(r"([\\`*_{}\[\]()#+!|~>@$^=-])")
# Trackers also interpret these marks after they have removed the backslashes.
_LIVE = re.compile(r"[@#](?=\w)|(?<!\d):(?=[\w+-]+:)")
_ENTITY = re.compile(r"&(?=#|\w)")
_LINK = re.compile(r"(?i)(https?|ftp|mailto|javascript|data)(:)|(www)(\.)")


def markdown(report: Report) -> str:
    """Return the report: problem, figures, members, remedies and reasons.

    If the report includes answers: also the candidate's effect, its figures, and a table for each
    step.
    """
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
                *(_bands(report.bands) if report.bands else ()),
                *(_answers(report) if report.has_answers else ()),
                plain(report.known),
                _foot(report),
            ]
        )
        + "\n"
    )


def _bands(bands: Mapping[str, Any]) -> Iterator[str]:
    """Yield the contents of Overview: problem, figures, members, remedies and reasons."""
    problem, helps = bands["what"], bands["helps"]
    yield " ".join(
        _leading([problem["sentence"], *problem["details"], problem["advice"] or ""])
    ).rstrip()
    if problem["command"]:
        yield _code(problem["command"])
    if problem["change"]:
        yield plain(f"This {problem['change']['what']}:")
        yield _code(problem["change"]["command"])
    yield _points(list(map(_figure, bands["strip"])))
    yield "## Who"
    yield _points([_member(row, bands["who"]["columns"]) for row in bands["who"]["rows"]])
    yield f"## {plain(helps['title'])}"
    yield plain(helps["none"]) or "\n".join(map(_remedy, helps["rows"]))
    yield "## Why"
    yield plain(f"{problem['word']} {problem['evidence']} {why(bands)}")
    if problem["also"]:
        yield _points([f"Also: {text}" for text in problem["also"]])


def _figure(cell: Mapping[str, str]) -> str:
    mark = " " if cell["note"] == "records" else ", "
    return mark.join(filter(None, [f"{cell['label']}: {cell['value']}", cell["note"]]))


def _points(texts: Sequence[str]) -> str:
    return "\n".join(f"- {plain(text)}" for text in texts)


def _code(command: str) -> str:
    """Return a command as a code block; trackers leave code unchanged."""
    return f"    {visible(' '.join(command.splitlines()))}"


def _member(row: Mapping[str, Any], columns: Sequence[str]) -> str:
    host = f" ({row['host']})" if row["host"] else ""
    cells = [f"{text} {name}" for name, text in zip(columns, row["cells"], strict=False) if text]
    return f"{row['name']}{host}: {', '.join([row['lag'], *cells])}"


def _remedy(row: Mapping[str, Any]) -> str:
    if row["helps"] == "no":
        return f"- {plain(row['name'])}, no help: {plain(row['why'])}"
    name = f"**{plain(row['name'])}**" if row["isAdvised"] else plain(row["name"])
    worst = f"worst member {row['worst']} {row['change']}".rstrip() if row["worst"] else ""
    return f"- {name}: {plain('; '.join(filter(None, [row['why'], worst, row['price']])))}"


def _answers(report: Report) -> Iterator[str]:
    """Yield the candidate's effect, its figures, and the tables of the steps."""
    if report.step or not report.bands:
        yield from _leading(report.sentences)
    yield _bold(finding(report))
    yield "\n".join(
        f"- {fact.label}: **{fact.value}** {fact.beside}".rstrip() for fact in facts(report)
    )
    yield from (_table(report, step) for step in report.told_steps)


def _leading(sentences: Sequence[str]) -> list[str]:
    """Return one paragraph whose first sentence is bold; an empty list if there are no
    sentences.
    """
    first, rest = sentences[:1], sentences[1:]
    return (
        [" ".join([f"**{plain(text)}**" for text in first] + [*map(plain, rest)])] if first else []
    )


def plain(text: str) -> str:
    """Return the text in one line, escaped: no tracker shows it as markup, link or HTML."""
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
    """Return the escaped text. Several blanks at its start or its end become a single blank."""
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
