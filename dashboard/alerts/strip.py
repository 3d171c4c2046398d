"""A table with a row for each alert rule. The rule's messages are marks on a strip of the week."""

from collections.abc import Sequence
from datetime import timedelta
from html import escape

from evenkeel.dashboard.alerts.loading import RuleWeek, Week
from evenkeel.dashboard.alerts.words import rule_words, short_count, verdict
from evenkeel.dashboard.times import local
from evenkeel.data.alerts.backtest import Telling

_DAY = timedelta(days=1)


def table(week: Week, rules: Sequence[RuleWeek], chosen: str) -> str:
    """Return the table as HTML; the chosen rule is highlighted."""
    heads = "".join(f"<th>{name}</th>" for name in ("Rule", "Open groups"))
    days = f'<div class="strip days">{_midnights(week, True)}</div>'
    rows = "".join(_row(week, each, each.rule.name == chosen) for each in rules)
    return (
        f'<table class="alerts-table"><thead><tr>{heads}<th>{days}</th><th>Sent</th>'
        f"<th>Under 10 min</th><th>Verdict</th></tr></thead><tbody>{rows}</tbody></table>"
    )


def _row(week: Week, each: RuleWeek, is_chosen: bool) -> str:
    open_count = len(each.open_groups)
    word, reason = verdict(each.tellings)
    mark = ' class="chosen"' if is_chosen else ""
    return (
        f"<tr{mark}><th><b>{escape(each.rule.name)}</b> {escape(rule_words(each.rule))}</th>"
        f'<td class="{"bad" if open_count else ""}">{open_count:,}</td>'
        f"<td>{_strip(week, each.tellings)}</td>"
        f"<td><b>{len(each.tellings):,}×</b></td><td>{short_count(each.tellings):,}</td>"
        f'<td><b class="{word}">{word}</b> {reason}</td></tr>'
    )


def _strip(week: Week, tellings: Sequence[Telling]) -> str:
    marks = "".join(
        f'<i style="left:{_place(week, each.told):.2f}%;'
        f'width:{_place(week, each.until or week.until) - _place(week, each.told):.2f}%"></i>'
        for each in tellings
    )
    return f'<div class="strip">{_midnights(week, False)}{marks}</div>'


def _midnights(week: Week, has_names: bool) -> str:
    first = local(week.since).replace(hour=0, minute=0, second=0, microsecond=0)
    days = [first + number * _DAY for number in range(1, 8)]
    return "".join(
        f'<u style="left:{_place(week, day.timestamp()):.2f}%">{f"{day:%a}" * has_names}</u>'
        for day in days
        if day.timestamp() < week.until
    )


def _place(week: Week, moment: float) -> float:
    """Return the position of a moment in the week, in percent."""
    part = (moment - week.since) / (week.until - week.since)
    return 100 * min(max(part, 0.0), 1.0)
