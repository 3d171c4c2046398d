"""For which open findings were messages sent, and what would a rule have sent in the last week?

The rules are in `evenkeel.toml`, plus one rule from the form. The form stores nothing: it shows its
rule as TOML to copy.
"""

import shlex
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import streamlit as st

from evenkeel.assignors.episodes.settings import OVER_TIME
from evenkeel.dashboard.alerts import loading, strip
from evenkeel.dashboard.alerts.loading import RuleWeek, Week
from evenkeel.dashboard.alerts.words import (
    NO_RECEIVER,
    against_words,
    command_for,
    open_words,
    sent_words,
    week_words,
)
from evenkeel.dashboard.names import literal
from evenkeel.dashboard.shell import address, problem
from evenkeel.dashboard.times import iso
from evenkeel.data import clock
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.alert_rules import AlertRule, toml_of
from evenkeel.data.configuration.conversion import Duration
from evenkeel.data.errors import SnapshotError

_OPEN, _DRAFT, _LIMIT, _RULE = "alerts-open", "alerts-draft", "alerts-limit", "alerts-rule"
_DEFAULT = AlertRule("every warning", findings=("critical", "warning"))
_YOURS = "yours"
_FIRST_LIMIT = 1000


def show_button(fold: Callable[[], None]) -> None:
    """Draw the button that opens and closes the panel. `fold`: function that shortens the list
    above the button.
    """
    icon = f":material/keyboard_arrow_{'up' if is_open() else 'down'}:"
    st.button("Alerts", icon=icon, key="alerts", on_click=_turn, args=(fold,))


def is_open() -> bool:
    """Return whether the reader has opened the panel."""
    return st.session_state.get(_OPEN, False)


def _turn(fold: Callable[[], None]) -> None:
    st.session_state[_OPEN] = not is_open()
    fold()


def show(cluster: str, needy: Sequence[str]) -> None:
    """Draw the panel of a cluster if the panel is open. `needy`: groups that need the reader."""
    if not is_open():
        return
    with st.container(border=True, gap="xsmall", key="alerts-panel"):
        try:
            _show(cluster, needy)
        except SnapshotError as error:
            problem.show(str(error))


def _show(cluster: str, needy: Sequence[str]) -> None:
    has_receiver = any(rule.webhook for rule in configuration().alerts)
    who = sent_words(loading.told(cluster), clock.seconds()) if has_receiver else NO_RECEIVER
    st.markdown(f"**Alerts** :gray[{literal(who)}]")
    draft: AlertRule | None = st.session_state.get(_DRAFT)
    rules = [*(configuration().alerts or (_DEFAULT,)), *([draft] if draft else [])]
    limit = st.session_state.get(_LIMIT, _FIRST_LIMIT)
    week = loading.week(cluster, rules, limit)
    if week is None:
        st.caption("The lake has no slot of the last week.")
        return
    left, right = st.columns([7, 3], gap="medium")
    with right:
        names = [rule.name for rule in rules]
        name = st.selectbox("Rule", names, index=len(names) - 1 if draft else 0, key=_RULE)
    with left:
        if week.is_too_large:
            _say_command(cluster, week)
        elif week.rules is None:
            st.caption("Testing the rules on the last week …")
            st.fragment(_wait, run_every=1.0)(cluster, rules, limit)
        else:
            st.html(strip.table(week, week.rules, name))
        _show_form(limit)
    with right:
        _show_rule(next(rule for rule in rules if rule.name == name), week, limit, needy)


def _wait(cluster: str, rules: list[AlertRule], limit: int) -> None:
    """Draw the page again when the test is done."""
    week = loading.week(cluster, rules, limit)
    if week is None or week.rules is not None:
        address.draw_again()


def _say_command(cluster: str, week: Week) -> None:
    moments = {
        name: iso(datetime.fromtimestamp(round(at), UTC))
        for name, at in (("from", week.since), ("to", week.until))
    }
    st.caption("A week of these groups is too large for this page. Test it on Spark:")
    st.code(command_for(shlex.quote(cluster), moments), language=None)


def _show_rule(rule: AlertRule, week: Week, limit: int, needy: Sequence[str]) -> None:
    st.code(toml_of(rule), language="toml")
    tested: list[RuleWeek] = [each for each in week.rules or () if each.rule == rule]
    for each in tested:
        st.caption(literal(open_words(each.open_groups, needy)))
        sentence = week_words(each.tellings, week.until)
        st.caption(literal(f"{sentence} {against_words(each, limit)}"))


def _show_form(limit: int) -> None:
    with st.expander("Try a rule", icon=":material/add:"), st.form("alerts-form", border=False):
        findings = st.multiselect(
            "Findings", ["critical", "warning", "info", *OVER_TIME], default=["critical"]
        )
        groups = st.text_input("Groups", "*", help="Globs of CLUSTER/GROUP; ! excludes")
        patience = st.text_input("For", "", placeholder="5m, or the finding's own time")
        lag = st.number_input("Compare with lag >", min_value=0, value=limit, step=100)
        if st.form_submit_button("Test it"):
            _take(findings, groups, patience.strip(), int(lag))


def _take(findings: list[str], groups: str, patience: str, limit: int) -> None:
    """Store the rule of the form in this session, and draw the page with this rule."""
    globs = tuple(part for part in groups.replace(",", " ").split() if part)
    try:
        length = Duration.parse(patience) if patience else None
    except ValueError as error:
        st.error(literal(f"For: {error}"))
        return
    if not findings or not globs:
        st.error("A rule needs a finding, such as critical, and a group, such as *.")
        return
    rule = AlertRule(_YOURS, findings=tuple(findings), groups=globs, patience=length)
    st.session_state.update({_DRAFT: rule, _LIMIT: limit})
    st.session_state.pop(_RULE, None)
    st.rerun()
