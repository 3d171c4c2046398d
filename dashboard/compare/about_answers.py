"""Texts next to the figures: the switch to the candidate (pauses, settings, other releases and
leaders), and the assumptions of each answer.
"""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

import pandas as pd
import streamlit as st

from evenkeel.assignors import ASSIGNORS, CLIENTS, JAVA
from evenkeel.assignors.compare.comparison import CURRENT, Row
from evenkeel.assignors.compare.facts import NO_FACTS, Facts
from evenkeel.assignors.kafka.release import NEWEST
from evenkeel.assignors.rounds.switch import Kind, Switch
from evenkeel.dashboard.names import literal
from evenkeel.dashboard.parts import long_table
from evenkeel.dashboard.parts.move_tables import by_partition, owners, partition_names, rows_of
from evenkeel.dashboard.parts.remarks import MEANINGS, Remark, remarks
from evenkeel.dashboard.parts.remarks import named as named_quirks
from evenkeel.dashboard.parts.switch_words import in_use_sentence, sentences
from evenkeel.dashboard.scope import choices
from evenkeel.dashboard.shell.answer_words import in_words, is_deadly, ways_out
from evenkeel.dashboard.shell.loading import views
from evenkeel.dashboard.shell.loading.answer_facts import known_times
from evenkeel.dashboard.shell.loading.plugins import assignor_of
from evenkeel.dashboard.shell.loading.views import LeaderAnswer, led_otherwise, upgrade
from evenkeel.dashboard.view import Change, OpenGroup, View
from evenkeel.data.scenarios.client_words import mixed, named
from evenkeel.data.scenarios.leaders import in_use, possible_leaders
from evenkeel.data.scenarios.switch_steps import STREAMS, clients, language, steps
from evenkeel.data.text.formats import count, exact, listed


def show(
    group: OpenGroup,
    view: View,
    candidate: Row,
    facts: Mapping[str, Facts],
    why: Mapping[str, Sequence[str]],
) -> None:
    """Draw the switch to the candidate on the left, and the answers on the right. If the candidate
    has no answer, draw a single column.
    """
    known = facts.get(candidate.name, NO_FACTS)
    if known.switch is None:
        _show_ways(group, view, candidate, known)
        _show_answers(view, candidate, facts, why)
        return
    way, answers = st.columns([38, 62], gap="medium")
    with way:
        _show_pauses(view, candidate, known.switch, views.change(group, CURRENT, candidate.name))
        _show_ways(group, view, candidate, known)
    with answers:
        _show_answers(view, candidate, facts, why)


def _show_ways(group: OpenGroup, view: View, candidate: Row, known: Facts) -> None:
    _show_way_out(view, candidate, known)
    _show_apply_steps(view, candidate)
    _show_upgrade(group, view, candidate)
    _show_other_leaders(group, view, candidate)


def _show_answers(
    view: View, candidate: Row, facts: Mapping[str, Facts], why: Mapping[str, Sequence[str]]
) -> None:
    is_assumed = bool(view.observed.assumed) or any(
        times.assumed for times in known_times(view).values()
    )
    _show_remarks(remarks(view, facts, why), candidate.name, is_assumed)
    _show_meanings(named_quirks(facts, view.comparison.rows))


def _show_remarks(remarks: Sequence[Remark], candidate: str, is_assumed: bool) -> None:
    """Draw the remarks, with the candidate's name in its colour. If there are none, draw one line.

    `is_assumed`: whether some inputs are assumed.
    """
    st.subheader("Assumptions and known quirks", anchor=False)
    if not remarks:
        assumed = "No assumption changes an answer" if is_assumed else "Nothing is assumed"
        st.caption(f"{assumed}, and no known quirk of Kafka affects these answers.")
        return
    st.html(f'<dl class="remarks">{"".join(_remark(remark, candidate) for remark in remarks)}</dl>')


def _remark(remark: Remark, candidate: str) -> str:
    names = ", ".join(
        f"<b>{escape(name)}</b>" if name == candidate else escape(name) for name in remark.names
    )
    return (
        "<div><dt"
        f' class="who">{names}</dt>'
        f"{''.join(f'<dd>{escape(text)}</dd>' for text in remark.sentences)}</div>"
    )


def _show_meanings(names: Sequence[str]) -> None:
    """Draw a closed box with the meaning of each Kafka quirk, and the remedy. Draw nothing if
    `names` is empty.
    """
    if names:
        numbers = listed(names, len(names))
        with st.expander(f"Kafka's behaviour {numbers}: meaning and remedy", key="quirks"):
            st.html(f'<dl class="remarks meanings">{"".join(map(_meaning, names))}</dl>')


def _meaning(name: str) -> str:
    meaning, action = MEANINGS[name]
    todo = f"<dd><b>What to do:</b> {escape(action)}</dd>" if action else ""
    return f'<div><dt class="quirk">{name}</dt><dd>{escape(meaning)}</dd>{todo}</div>'


# Pauses of a switch to the candidate, round by round.


_WORDS = {Kind.RECONCILED: "Heartbeats"}
_RARE = ("stale claims", "refused")


def _show_pauses(view: View, row: Row, switch: Switch, change: Change) -> None:
    """Draw the sentence about the switch. If the switch has several rounds, draw a table of the
    rounds. If partitions pause and the switch is not eager, draw a closed box with these
    partitions.
    """
    is_in_use = row.name == in_use(view.observed)
    st.subheader(
        f"{row.name} is in use" if is_in_use else f"The switch to {row.name}", anchor=False
    )
    st.html(
        '<p class="switch">'
        f"{in_use_sentence(row, switch) if is_in_use else sentences(switch, row)}</p>"
    )
    if switch.round_count > 1:
        st.html(_rounds(switch))
    if switch.kind != Kind.EAGER and switch.paused_count:
        box = st.expander(
            f"Paused partitions: {exact(switch.paused_count)}", key="paused", on_change="rerun"
        )
        with box:
            if box.open:
                long_table.show(paused(view, switch, change), "Paused partitions")


def _rounds(switch: Switch) -> str:
    """Return a table with a row for each round.

    The columns of refused partitions and stale claims are omitted if they contain only zeros.
    """
    columns = {
        "revoked": [step.revoked for step in switch.steps],
        "stale claims": [step.stale for step in switch.steps],
        "handed out": [step.handed_out for step in switch.steps],
        "refused": [step.refused for step in switch.steps],
        "still waiting": [step.waiting for step in switch.steps],
    }
    shown = {head: cells for head, cells in columns.items() if head not in _RARE or any(cells)}
    head = "".join(
        f'<th scope="col">{text}</th>' for text in (_WORDS.get(switch.kind, "Rebalance"), *shown)
    )
    rows = "".join(
        _row(place, step) for place, step in enumerate(zip(*shown.values(), strict=True), 1)
    )
    return f'<table class="rounds"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'


def _row(place: int, cells: Iterable[int]) -> str:
    return (
        "<tr><th"
        f' scope="row">{place}</th>{"".join(f"<td>{exact(cell)}</td>" for cell in cells)}</tr>'
    )


def paused(view: View, switch: Switch, change: Change) -> pd.DataFrame:
    """Return the paused partitions, each with its owner before and after the switch and its number
    of rounds without an owner.

    The longest pause is first.
    """
    group = view.comparison.group
    order = (-switch.paused_rounds).argsort(kind="stable")
    tps = switch.paused[order]
    owner = {
        (topic, number): pair
        for topic, number, *pair in zip(*(column.tolist() for column in change.pairs), strict=True)
    }
    pairs = [
        owner.get((int(group.tp_topic[tp]), int(group.tp_partition[tp])), (-1, -1)) for tp in tps
    ]
    return pd.DataFrame(
        {
            "Partition": partition_names(group, group.tp_topic[tps], group.tp_partition[tps]),
            "From": owners(view.names, [pair[0] for pair in pairs]),
            "To": owners(view.names, [pair[1] for pair in pairs]),
            "Rounds without owner": switch.paused_rounds[order],
        }
    )


# Steps to leave an assignor that kills the leader, or under which the group never stops
# rebalancing.


def _show_way_out(view: View, row: Row, facts: Facts) -> None:
    """Draw the steps by which the group can leave an assignor, in an open box. Draw nothing if the
    rebalances end and the leader does not crash.
    """
    steps = ways_out(row, facts)
    if not steps:
        return
    with st.expander(
        f"How to get out of {literal(row.name)}",
        icon=":material/emergency_home:",
        expanded=True,
        key="way-out",
    ):
        for place, step in enumerate(steps, 1):
            st.markdown(f"{place}. {literal(step.text)}")
            if step.setting:
                st.code(step.setting, language="properties", wrap_lines=True)


# Steps to apply the candidate: settings to copy, and the order of restarts, for a chosen client.


_KEY = "apply"
_STREAM = "stream"
"""Kafka's assignor name for a classic group of Kafka Streams."""


def _show_apply_steps(view: View, row: Row) -> None:
    """Draw the steps to apply an assignor, in a closed box. Draw nothing for the assignor in
    use.
    """
    now = in_use(view.observed)
    if row.name == now or row.assignment is None:
        return
    group_type = STREAMS if view.observed.assignor == _STREAM else view.observed.group_type
    box = st.expander(
        f"How to apply {literal(row.name)}", icon=":material/settings:", key=_KEY, on_change="rerun"
    )
    with box:
        if box.open:
            known = clients()
            first = view.client if view.client in known else JAVA
            client = st.segmented_control(
                "Client",
                known,
                default=first,
                format_func=named,
                key="apply-client",
                required=True,
                persist_state="session",
                label_visibility="collapsed",
            )
            listed_steps = steps(
                client,
                assignor_of(row.name),
                ASSIGNORS.get(now or ""),
                group_type,
                view.observed.assignor,
            )
            for place, step in enumerate(listed_steps, 1):
                st.markdown(f"{place}. {literal(step.text)}")
                if step.setting:
                    st.code(step.setting, language=language(client), wrap_lines=True)
            st.caption("All members of the group need the same setting, whatever their client.")


# Moves of an upgrade of Kafka from the chosen release to the newest release.


def _show_upgrade(group: OpenGroup, view: View, row: Row) -> None:
    """Draw one line about an upgrade of Kafka, and a closed box with the partitions that the
    upgrade moves. Draw nothing if the newest release is chosen.
    """
    if group.kafka == NEWEST or row.name not in ASSIGNORS:
        return
    change = upgrade(group, row.name, NEWEST)
    if change is None:
        return
    moved = change.moves.moved_count
    number = count(moved, "partition") if moved else "no partition"
    moves = f"{number} of {row.name} {'moves' if moved < 2 else 'move'}"
    why = ASSIGNORS[row.name].release_difference
    line = (
        f"Upgrading the {choices.whose(row.name)} from {group.kafka} to {NEWEST}:"
        f" {moves}{f', because {why}' if moved and why else ''}"
    )
    if not moved:
        st.html(f'<p class="switch">{line}.</p>')
        return
    box = st.expander(line, key="upgrade", on_change="rerun")
    with box:
        if box.open:
            long_table.show(by_partition(view, change, rows_of(change, "Moved")), line)


# Answers under another leader: the same group by the code of Java, and of each client that a member
# uses.


def _show_other_leaders(group: OpenGroup, view: View, row: Row) -> None:
    """Draw one line for each other client that can lead, and a closed box with the partitions that
    get another owner under this leader.

    Draw nothing if no other client can lead with this assignor.
    """
    others = _others(view)
    if row.name not in CLIENTS[JAVA].assignors or not view.observed.is_classic or not others:
        return
    if len(possible := possible_leaders(view.observed)) > 1:
        _line(escape(mixed(possible)))
    for client in others:
        _show_leader(view, client, led_otherwise(group, row.name, client), row.name)


def _others(view: View) -> Sequence[str]:
    """Return the clients other than `view.client` that can lead. Java always can."""
    return [
        client
        for client in dict.fromkeys([*possible_leaders(view.observed), JAVA])
        if client != view.client
    ]


def _show_leader(view: View, client: str, led: LeaderAnswer, name: str) -> None:
    lead = f"If {named(client)} led"
    if led.row.error:
        sentence = escape(f"{lead}: {in_words(led.row.error)}.")
        _line(f'<b class="worse">{sentence}</b>' if is_deadly(led.row.error) else sentence)
    elif led.change is None:
        _line(f"{lead}, {name} would have an answer.")
    elif not (number := len(led.change.moves.lag)):
        _line(
            f"{lead}, no partition of {name} would have another owner{' than now' * led.from_now}."
        )
    else:
        line = (
            f"{lead}, {count(number, 'partition')} of {name} would have another"
            f" owner{' than now' * led.from_now}"
        )
        box = st.expander(line, key=f"led-{client}", on_change="rerun")
        with box:
            if box.open:
                long_table.show(by_partition(view, led.change, rows_of(led.change, "Moved")), line)


def _line(markup: str) -> None:
    st.html(f'<p class="switch">{markup}</p>')
