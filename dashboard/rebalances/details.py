"""The open rebalance: cause, slowest member, members that left or joined, moves and log lines.

Also a replay of the chosen rebalances with other settings.
"""

import re
from collections.abc import Sequence
from html import escape

import streamlit as st

from evenkeel.assignors.protocol import CLASSIC
from evenkeel.dashboard.names import visible
from evenkeel.dashboard.rebalances import picture
from evenkeel.dashboard.rebalances.figure_look import colour_name
from evenkeel.dashboard.rebalances.loading.logs import log_of
from evenkeel.dashboard.rebalances.loading.shown import LogView, other_settings
from evenkeel.dashboard.rebalances.picture import Part
from evenkeel.dashboard.rebalances.source import Selection
from evenkeel.dashboard.rebalances.words import (
    as_written,
    headline,
    members_text,
    paused_text,
    precise,
    root,
    seconds_text,
)
from evenkeel.data.rebalances.event import Evidence, Rebalance, Trigger
from evenkeel.data.rebalances.replayed import AS_IT_WAS, ChainReplay
from evenkeel.data.rebalances.words import CAUSES
from evenkeel.data.text.formats import UNKNOWN, and_more, compact, counted, exact, with_more
from evenkeel.data.text.names import elided

_MOST_MOVES, _MOST_LINES = 9, 8
_SAYS_NOTHING = "need to re-join with the given member-id"
"""Reason that Java's client sends when it joins. It explains nothing, so it is not shown."""

_MATCHED = re.compile(
    r"has failed|on heartbeat expiration|has left group|explicit `LeaveGroup`|Adding new"
    r" member|re-joining group|Updating metadata"
    r"|\d+ of which are static|left the consumer group|session expired|joins the consumer"
    r" group|Bumped group epoch|failed to transition"
    r"|Converted the (?:classic|consumer) group|on LeaveGroup|has left, removing it|cached metadata"
    r" has changed|subscription has changed"
    r"|consumer poll timeout has expired|need to revoke partitions"
)


def show(chosen: Selection, shown: LogView, part: Part) -> None:
    """Draw the panel of the open rebalance."""
    event, kind = shown.events[part.opened], shown.kinds[part.opened]
    with st.container(border=True, gap=None, key="rebalance-open"):
        with st.container(horizontal=True, gap="xsmall", key="rebalance-steps"):
            st.html(_head(event, kind))
            for name, icon, place in zip(
                ("Earlier", "Later"),
                ("chevron_left", "chevron_right"),
                picture.beside(shown, part),
                strict=True,
            ):
                st.button(
                    name,
                    key=f"rebalance-{icon}",
                    disabled=place is None,
                    on_click=picture.open_one,
                    args=(place,),
                    icon=f":material/{icon}:",
                    help=f"{name} rebalance",
                    type="tertiary",
                    width="content",
                )
        st.html(
            _facts(event, kind)
            + _lines(event, log_of(chosen.log, chosen.zone).about.zone)
            + _settings(chosen, part)
        )


def _head(rebalance: Rebalance, kind: str) -> str:
    before = exact(rebalance.generation_before)
    word = "generation" if rebalance.protocol == CLASSIC else "epoch"
    broker = f", broker {rebalance.coordinator}" if rebalance.coordinator is not None else ""
    glyph = f'<i style="color:var(--{colour_name(kind)})">{CAUSES[kind].look.glyph}</i>'
    return (
        f'<p class="rebalance-head">{glyph} <b>{precise(rebalance.time)}'
        f" {escape(visible(headline(rebalance, kind)))}</b><span>{word} {before} →"
        f" {exact(rebalance.number)}{broker}</span></p>"
    )


def _facts(rebalance: Rebalance, kind: str) -> str:
    name, clause = root(rebalance, kind)
    facts = {
        "Root": f"<b>{escape(visible(name))}</b> {escape(clause)}",
        "Waited for": _waited(rebalance),
        "Members": _members(rebalance),
    }
    more = rebalance.triggers[1:]
    if more:
        shown = "; ".join(f"{_who(each)} {precise(each.at)}" for each in more[:3])
        facts["Then"] = with_more(escape(visible(shown)), len(more) - 3)
    reason = rebalance.triggers[0].reason if rebalance.triggers else None
    if reason and not reason.startswith(_SAYS_NOTHING):
        facts["Reason"] = f"<q>{escape(visible(reason))}</q>"
    facts["Moved"] = _moved(rebalance)
    rows = "".join(
        f'<tr><th scope="row">{key}</th><td>{text}</td></tr>' for key, text in facts.items()
    )
    return f'<table class="rebalance-facts"><tbody>{rows}</tbody></table>'


def _who(trigger: Trigger) -> str:
    name = trigger.member.name if trigger.member else ""
    return f"{name} {CAUSES[trigger.cause].did or CAUSES[trigger.cause].short}".strip()


def _waited(rebalance: Rebalance) -> str:
    if rebalance.ran_into_max_poll_interval:
        return f"ran into max.poll.interval.ms, {seconds_text(rebalance.rebalance_timeout_ms)}"
    if rebalance.members == 0:
        return '<span class="quiet">no member: the group is empty</span>'
    if rebalance.slowest is None:
        took = (
            f"; all rejoined after {seconds_text(rebalance.joined - rebalance.start)}"
            if rebalance.start is not None and rebalance.joined is not None
            else ""
        )
        return f'<span class="quiet">no line names a member{took}</span>'
    return (
        f"<b>{escape(visible(rebalance.slowest[0].name))}</b> {seconds_text(rebalance.slowest[1])}"
    )


def _members(rebalance: Rebalance) -> str:
    after = exact(rebalance.members)
    before = (
        UNKNOWN
        if rebalance.members is None
        else exact(
            max(rebalance.members - len(rebalance.members_joined) + len(rebalance.members_left), 0)
        )
    )
    return (
        f'{before} → {after} <span class="quiet">{escape(visible(members_text(rebalance)))}</span>'
    )


def _moved(rebalance: Rebalance) -> str:
    if rebalance.moved is None:
        return (
            '<span class="quiet">unknown: a log does not name owners; add __consumer_offsets</span>'
        )
    if not rebalance.moved:
        return "nothing"
    takers = len({to for _, _, to in rebalance.moved if to is not None})
    paused = (
        ""
        if rebalance.paused is None
        else f"paused {compact(round(rebalance.paused))} partition-seconds"
    )
    shown = [
        f"{escape(visible(elided(partition)))} →"
        f" {escape(visible(elided(to, 14) if to else 'nobody'))}"
        for partition, _, to in rebalance.moved[:_MOST_MOVES]
    ]
    items = "".join(
        f"<li>{item}</li>" for item in [*shown, *and_more(len(rebalance.moved) - _MOST_MOVES)]
    )
    return (
        f"{counted(len(rebalance.moved), 'partition')} to"
        f" {counted(takers, 'member') if takers else 'nobody'} "
        f'<span class="quiet">{paused}</span><ul class="rebalance-moves">{items}</ul>'
    )


def _lines(rebalance: Rebalance, zone: str) -> str:
    lines = [each for each in rebalance.evidence if each.text]
    if not lines:
        places = ", ".join(each.place for each in rebalance.evidence[:_MOST_LINES])
        return (
            '<p class="rebalance-lines" tabindex="0" role="group"'
            f' aria-label="Records">{escape(places)}</p>'
        )
    more = f"<p>and {len(lines) - _MOST_LINES:,} more lines</p>" if len(lines) > _MOST_LINES else ""
    shown = "".join(_line(each, zone) for each in lines[:_MOST_LINES])
    return (
        '<div class="rebalance-lines" tabindex="0" role="group" aria-label="Lines of the'
        f' log">{shown}{more}</div>'
    )


def _line(evidence: Evidence, zone: str) -> str:
    """Return the log line as HTML, with the words that show the cause highlighted."""
    text, reason, rest = evidence.text.partition("; client reason: ")
    parts, at = [], 0
    for match in _MATCHED.finditer(text):
        parts += [escape(visible(text[at : match.start()])), f"<mark>{escape(match[0])}</mark>"]
        at = match.end()
    parts.append(escape(visible(text[at:] + reason)))
    tail = f"<mark>{escape(rest)}</mark>" if _MATCHED.match(rest) else escape(visible(rest))
    return (
        f'<p title="{escape(evidence.place)}"><time>'
        f"{as_written(evidence.at, zone)}</time>{''.join(parts)}{tail}</p>"
    )


def _settings(chosen: Selection, part: Part) -> str:
    rows = other_settings(*chosen[:4], part.first, part.last)
    if not rows:
        far = (
            "These rebalances are too far apart to be replayed together: open one of them,"
            " or choose fewer above."
        )
        many = "Too many rebalances to replay at once: choose fewer above."
        return f'<p class="note">{far if part.kind else many}</p>'
    count = part.last - part.first + 1
    whose = "These" if count == len(part.places) else "All"
    title = f"{whose} {count:,}, replayed with" if count > 1 else "This rebalance, replayed with"
    body = "".join(_setting(row, rows) for row in rows)
    assumed = ""
    if any(row.is_assumed for row in rows):
        assumed = (
            '<p class="note">Unknown timeouts are assumed: session.timeout.ms 45 s,'
            " max.poll.interval.ms 5 m.</p>"
        )
    head = f"<tr><th>{title}</th><th>rebalances</th><th>moves</th><th>paused</th></tr>"
    return (
        "<table"
        f' class="rebalance-settings"><thead>{head}</thead><tbody>{body}</tbody></table>{assumed}'
    )


def _setting(row: ChainReplay, rows: Sequence[ChainReplay]) -> str:
    least = min(row.rebalances for row in rows)
    is_best = row.name != AS_IT_WAS and row.is_better and row.rebalances == least
    is_none = not row.is_partial and 0.0 in (row.paused, row.seconds)
    # All rows have the same unit: partition-seconds if known for every row, else seconds.
    in_seconds = any(row.paused is None and row.seconds is not None for row in rows)
    paused = (
        "0"
        if is_none
        else paused_text(None if in_seconds else row.paused, row.seconds, row.is_partial)
    )
    numbers = (exact(row.rebalances), exact(row.moves), paused)
    cells = "".join(
        f'<td class="{"better" if is_best and number == "0" else ""}">{number}</td>'
        for number in numbers
    )
    name = f"<b>{escape(row.name)}</b>" if is_best else escape(row.name)
    return f"<tr><th>{name} <small>{escape(row.note)}</small></th>{cells}</tr>"
