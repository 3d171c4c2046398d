"""The line above the Timeline: which group, its verdict, and what was read of it."""

from collections.abc import Callable
from html import escape

import streamlit as st

from evenkeel.assignors.history.verdicts import OBSERVATIONS, VERDICTS
from evenkeel.dashboard import loading
from evenkeel.dashboard.loading.history.readings import own_readings
from evenkeel.dashboard.loading.history.timelines import Timeline
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.history import group_choice
from evenkeel.dashboard.widgets.parts import reader_zone
from evenkeel.dashboard.widgets.scope import group_facts
from evenkeel.dashboard.words.inputs import RATES, reached
from evenkeel.dashboard.words.times import day_and_clock, zone
from evenkeel.data.words.formats import at_least, count, duration, exact
from evenkeel.data.words.verdicts import WORDS

_COLORS = {"fine": "green", "warn": "orange", "bad": "red"}


def show(group: Opened, shown: Timeline | None, verb: Callable[[], None] | None = None) -> None:
    """Draw the line; without a history only which group it is. `verb`: draws what can be done with the view, at the end."""
    name = group.group_id
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="scope"):
        st.html(f'<h1 class="scope-title" title="{escape(name)}">{escape(name)}</h1>', width="content")
        if shown:
            verdict = VERDICTS[shown.verdict]
            words = WORDS[verdict]
            label = verdict if verdict == "OK" else f"{verdict} {held(shown)}"
            said = filter(None, [f"The group's worst partition: {words.reason}", few_readings(shown)])
            st.badge(label, icon=f":material/{words.icon}:", color=_COLORS[words.tone], help=" ".join(f"{one}." for one in said))
            if shown.gone_count:
                help = "The group was deleted, or could not be read. All figures are of the last reading that has it."
                st.badge(f"not in the last {count(shown.gone_count, 'reading')}", icon=":material/visibility_off:", color="gray", help=help)
            group_facts.show_state(shown.observed)
            group_facts.show_level(shown.observed, shown.has_rates, _is_certain(group, shown))
            st.html(f'<span class="note">{_readings(shown, own_readings(group) is not None)}</span>', width="content")
        st.space("stretch")
        reader_zone.show()
        group_choice.show(group)
        if verb:
            verb()


def _is_certain(group: Opened, shown: Timeline) -> bool:
    """Tell whether no answer depends on what is unknown; answers are computed only where that decides the level."""
    is_decided = reached(shown.observed, shown.has_rates, True) < RATES
    return is_decided or loading.view(group).is_certain


def held(shown: Timeline) -> str:
    """Return how long the group has had its verdict; a lower bound where neither the range nor a stored change tells since when.

    Of a verdict that only the last reading has, no time is known.
    """
    if shown.seen_until == shown.verdict_since:
        return "at the last reading"
    return at_least(duration(shown.seen_until - shown.verdict_since), shown.verdict_is_older)


def few_readings(shown: Timeline) -> str:
    """Return why the verdict may change yet; empty where there are as many readings as it looks at."""
    is_short = shown.slot_count < OBSERVATIONS
    return f"A verdict looks at the last {OBSERVATIONS} readings; there are fewer, so it may change" * is_short


def _readings(shown: Timeline, is_counted: bool) -> str:
    """Return how many, how often and until when; `is_counted`: the line of an upload's readings says how many."""
    step = round(shown.step_seconds)
    parts = [] if is_counted else [count(shown.slot_count, "reading")]
    parts += ["one a minute" if step == 60 else f"one every {duration(step)}"] * (shown.slot_count > 1)
    parts += [f"{exact(shown.missing_count)} missing"] * bool(shown.missing_count)
    end = f"{'last' if shown.is_last else 'until'} {day_and_clock(shown.until)} {zone(shown.until)}"
    return " · ".join([*filter(None, [", ".join(parts)]), end])
