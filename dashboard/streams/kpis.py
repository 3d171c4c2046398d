"""The six figures above the rounds, and quirks of task assignors in the first rebalance.

The figures describe the present, also if a later round is open.
"""

from datetime import timedelta
from html import escape

import numpy as np
import streamlit as st

from evenkeel.assignors.group.tasks import tasks_without_caught_up_copy
from evenkeel.assignors.kafka.streams.assignor import StreamsSettings
from evenkeel.assignors.kafka.streams.task_quirks import SENTENCES, TaskQuirk, task_quirks
from evenkeel.dashboard.parts.kpi_strip import Kpi
from evenkeel.dashboard.parts.task_tables import restoring
from evenkeel.dashboard.steps.strips import in_place
from evenkeel.dashboard.streams.tiles import fates
from evenkeel.dashboard.times import clock, zone
from evenkeel.dashboard.view import ApplicationView, TaskRounds
from evenkeel.data.text.formats import UNKNOWN, count, duration, exact, listed


def kpis(view: ApplicationView, rounds: TaskRounds, settings: StreamsSettings) -> list[Kpi]:
    """Return the six figures: balanced or why not, tasks without a caught-up copy, warm-ups,
    probing rebalance, rounds, time to balance.
    """
    total = int(view.snapshot.is_stateful.sum())
    left = total - in_place(rounds, 0)
    stopped, seconds = restoring(view, rounds)
    is_stopped = bool(stopped) and (seconds is None or seconds >= 1)
    is_balanced = rounds.is_balanced and len(rounds.rounds) == 1 and not is_stopped
    still = "" if is_balanced else "⚠ copies still warm up"
    if is_stopped:
        still = f"⚠ {exact(stopped)} of {exact(total)} restore before they run"
    elif left:
        still = f"⚠ {exact(left)} of {exact(total)} still to move"
    return [
        Kpi("Balanced", "Yes" if is_balanced else "No", still, "worse" * (not is_balanced)),
        _without(rounds, settings),
        _warmups(view, rounds, settings),
        _next(rounds, settings),
        _rounds(rounds),
        _restored(seconds) if is_stopped and len(rounds.rounds) == 1 else _time(view, rounds),
    ]


def _without(rounds: TaskRounds, settings: StreamsSettings) -> Kpi:
    first, acceptable = rounds.rounds[0], settings.acceptable_recovery_lag
    number = tasks_without_caught_up_copy(first.application, acceptable).size
    warmups = set(map(tuple, first.answer.warmup.tolist()))
    copies = zip(
        map(tuple, first.answer.standby.tolist()), first.standby_left.tolist(), strict=True
    )
    behind = sum(left > acceptable and copy not in warmups for copy, left in copies)
    note = f"{count(behind, 'standby')} behind" if behind else ""
    return Kpi("Without a caught-up copy", exact(number), note, "worse" * bool(number))


def _warmups(view: ApplicationView, rounds: TaskRounds, settings: StreamsSettings) -> Kpi:
    later = len(fates(view.owners, rounds.rounds, 0).waiting)
    waits = f", {exact(later)} wait" if later else ""
    return Kpi(
        "Warm-ups in flight",
        exact(len(rounds.rounds[0].answer.warmup)),
        f"of max {exact(settings.max_warmup_replicas)}{waits}",
    )


def _next(rounds: TaskRounds, settings: StreamsSettings) -> Kpi:
    every = duration(settings.probing_rebalance_interval_ms / 1000)
    asks = rounds.rounds[0].answer.is_probing_rebalance_needed
    return Kpi(
        "Probing rebalance",
        f"every {every}" if asks else "none",
        "until balanced" if asks else "the leader requests none",
    )


def _rounds(rounds: TaskRounds) -> Kpi:
    moved = np.zeros(rounds.rounds[0].application.task_count, dtype=np.int64)
    for before, after in zip(rounds.rounds, rounds.rounds[1:], strict=False):
        moved += (before.answer.active != after.answer.active) & before.application.is_stateful
    if not rounds.is_whole:
        return Kpi("Rounds to balance", "…", "still computed")
    if rounds.is_balanced and len(rounds.rounds) == 1:
        return Kpi("Rounds to balance", "0", "balanced in this round")
    number, moving = exact(len(rounds.rounds) - 1), int(np.count_nonzero(moved))
    if rounds.is_endless:
        return Kpi("Rounds to balance", UNKNOWN, "rounds never end", "worse")
    if not rounds.is_balanced:
        return Kpi("Rounds to balance", f"> {number}", f"the first {number} are shown", "worse")
    if rounds.seconds is None:
        # If a rate is unknown, a warm-up counts as full at the next probing rebalance, so balancing
        # may take longer.
        return Kpi("Rounds to balance", f"≥ {number}", "restore rates are unknown")
    return Kpi(
        "Rounds to balance", number, f"{count(moving, 'task')} {'moves' if moving == 1 else 'move'}"
    )


def _restored(seconds: float | None) -> Kpi:
    """Return the time to balance if moved tasks must first restore their state."""
    if seconds is None:
        return Kpi("Time to balance", UNKNOWN, "restore rates are unknown")
    return Kpi("Time to balance", duration(seconds), "until all tasks run", "worse")


def _time(view: ApplicationView, rounds: TaskRounds) -> Kpi:
    seconds = rounds.seconds
    if not rounds.is_whole:
        return Kpi("Time to balance", "…", "still computed")
    if seconds is None:
        why = "restore rates are unknown" if rounds.is_balanced else "longer"
        return Kpi("Time to balance", UNKNOWN, "never" if rounds.is_endless else why)
    if not seconds:
        return Kpi("Time to balance", "0 s", "nothing to wait for")
    then = view.document.taken_at and view.document.taken_at + timedelta(seconds=seconds)
    at = then and f"at {clock(then.timestamp())} {zone(then)}"
    return Kpi("Time to balance", duration(seconds), at or "")


# The numbered behaviours of Kafka in the first rebalance, with the affected tasks or instances.


_MOST = 4


def show_caveats(view: ApplicationView, rounds: TaskRounds, assignor: StreamsSettings) -> None:
    """Draw one line for each quirk that occurs in the first rebalance."""
    first = rounds.rounds[0]
    quirks = task_quirks(first.application, assignor, first.answer)
    if quirks:
        lines = "".join(_line(view, quirk) for quirk in quirks)
        st.html(
            f'<p class="task-legend"><b>Caveats</b></p><dl class="remarks meanings">{lines}</dl>'
        )


def _line(view: ApplicationView, quirk: TaskQuirk) -> str:
    name = f"Kafka's behaviour {quirk.name}"
    return f'<div><dt class="who">{name}</dt><dd>{escape(_in_words(view, quirk))}</dd></div>'


def _in_words(view: ApplicationView, quirk: TaskQuirk) -> str:
    struck = (
        _listed("task", view.tasks, quirk.task)
        if quirk.task.size
        else _listed("instance", view.processes, quirk.process)
    )
    return f"{SENTENCES[quirk.name]}{f' Here: {struck}.' if struck else ''}"


def _listed(noun: str, names: tuple[str, ...], rows: np.ndarray) -> str:
    shown = [names[row] for row in rows.tolist()]
    return f"{count(len(shown), noun)}, {listed(shown, _MOST)}" if shown else ""
