"""The assignors' answers, and the line above What-if that says which group is simulated. The
candidate's answer is computed first; other answers may come later.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from html import escape
from typing import NamedTuple

import streamlit as st

from evenkeel.assignors import ASSIGNORS, JAVA
from evenkeel.dashboard.shell import address, cache, problem
from evenkeel.dashboard.shell.loading.clusters import members_now
from evenkeel.dashboard.shell.loading.uploads import imported
from evenkeel.dashboard.shell.loading.walks import Refusal, Walk, digests, walked
from evenkeel.dashboard.times import local, zone
from evenkeel.dashboard.view import OpenGroup, View
from evenkeel.dashboard.whatif.loading import StepTimes, step_times
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.client_words import answers_of
from evenkeel.data.scenarios.leaders import in_use
from evenkeel.data.scenarios.run.group_step import StepAnswer
from evenkeel.data.scenarios.run.step_figures import names_of
from evenkeel.data.scenarios.scenario.scenario import Step
from evenkeel.data.scenarios.size import edit_count
from evenkeel.data.text.formats import count


def show_ribbon(group: OpenGroup, view: View) -> None:
    """Draw a line that names the group and says that this is a simulation. The line stays visible
    while the page scrolls.
    """
    observed = view.observed
    name = observed.group_id or group.source_file or "unnamed group"
    facts = [f"Based on {name}{_as_of(group, observed)}."]
    facts += [answers_of(view.client)] if observed.is_classic and view.client != JAVA else []
    facts += _changed_since(group, observed)
    with st.container(key="ribbon"):
        st.html(
            '<p class="ribbon"><b>Simulation – nothing is sent to Kafka</b>'
            f" {escape(' '.join(facts))}</p>"
        )


def _as_of(group: OpenGroup, observed: ObservedGroup) -> str:
    time = observed.taken_at or (
        imported(group.batch).manifest.ingested_at if group.batch else None
    )
    read = "as of" if observed.taken_at else "read at"
    if time:
        return f" {read} {local(time):%H:%M:%S} {zone(time)}"
    return ", a worked example" if group.slug else ""


def _changed_since(group: OpenGroup, observed: ObservedGroup) -> list[str]:
    """Return a sentence if the group has another number of members in the cluster's cached list of
    groups. Empty if the number is the same or no list is cached.
    """
    now = members_now(group)
    if now is None or observed.member_count is None or now == observed.member_count:
        return []
    word = "joined" if now > observed.member_count else "left"
    return [
        f"The live group has changed since: {count(abs(now - observed.member_count), 'member')}"
        f" {word}. Read the group again to start from its present state."
    ]


# The answers on the page. The candidate and the assignor in use are computed at once, other
# assignors later.


AT_ONCE = 20_000
"""Limit of the partitions of all steps, plus `_EDIT` for each edit. Up to this limit, all assignors
answer before the page is drawn.
"""

_EDIT = 100
"""An edit counts as this number of partitions, because it takes as long."""


class Run(NamedTuple):
    """The answers to one scenario, from all assignors that support the group's type. `waiting`:
    assignors whose answers are still being computed.

    `candidate`, `used`: the name of the candidate and of the assignor in use. `used` is None if the
    assignor in use is unknown. `names`: short names by member id.
    """

    steps: Sequence[Step]
    walks: dict[str, Walk]
    candidate: str
    used: str | None
    names: Mapping[str, str]
    waiting: frozenset[str] = frozenset()

    @property
    def walk(self) -> Walk:
        """The candidate's answers to the steps."""
        return self.walks[self.candidate]

    @property
    def refused(self) -> Refusal | None:
        return self.walk.refused

    @property
    def last(self) -> int:
        """The last step to which the candidate has an answer."""
        return len(self.walk.answers) - 1

    def answers(self, step: int) -> dict[str, StepAnswer]:
        """Return the computed answers to a step, by assignor."""
        return {
            name: walk.answers[step]
            for name, walk in self.walks.items()
            if step < len(walk.answers)
        }

    def start(self, step: int) -> ObservedGroup:
        """Return the group at the start of a step under the candidate. `step`: counted from 1. If
        the candidate has no answer to the previous step, return the group after the candidate's
        last answer.
        """
        known = [answer.group or answer.start for answer in self.walk.answers[:step]]
        return next(group for group in reversed(known) if group is not None)


def run(group: OpenGroup, view: View, steps: Sequence[Step], candidate: str) -> Run:
    """Return the answers to the steps. In a large group, only the candidate and the assignor in use
    answer at once; others are computed in the background.
    """
    names = [row.name for row in view.comparison.rows[1:]]
    used = in_use(view.observed)
    first = [candidate, *([used] if used in names and used != candidate else [])]
    done = {name: walked(group, steps, name) for name in first}
    others = [name for name in names if name not in done]
    small = view.comparison.group.tp_count * (len(steps) + 1) + _EDIT * edit_count(steps) <= AT_ONCE
    behind = [name for name in others if name not in ASSIGNORS or not small]
    waiting = _missing(group, steps, behind, 0.1 if small else 0.0)
    done |= {name: walked(group, steps, name) for name in others if name not in waiting}
    walks = {name: done[name] for name in names if name in done}
    return Run(
        steps,
        walks,
        candidate,
        used if used in names else None,
        names_of(done[candidate].answers),
        waiting,
    )


def _missing(
    group: OpenGroup, steps: Sequence[Step], names: Sequence[str], patience: float = 0.0
) -> frozenset[str]:
    last = digests(steps)[-1]
    keys = {(walked, group, last, name): name for name in names}
    tasks = {key: partial(_walk, group, steps, name) for key, name in keys.items()}
    return frozenset(keys[key] for key in cache.missing(tasks, patience))


def _walk(group: OpenGroup, steps: Sequence[Step], name: str, is_wanted) -> None:
    walked(group, steps, name, is_wanted)


def times(group: OpenGroup, view: View, current_run: Run) -> StepTimes:
    """Return the drain times of the answers. If the lake cannot be read, show why and return no
    drain times.
    """
    try:
        return step_times(group, view, current_run.steps, current_run.walks)
    except SnapshotError as error:
        problem.show(str(error))
        return StepTimes()


def show_waiting(group: OpenGroup, view: View, current_run: Run, drained: StepTimes) -> None:
    """Draw the names of the assignors that are still being computed. Draw the page again when an
    assignor is finished.
    """
    if current_run.waiting or drained.waiting:
        _look(group, view, current_run, drained)


@st.fragment(run_every=0.7)
def _look(group: OpenGroup, view: View, current_run: Run, drained: StepTimes) -> None:
    if (
        current_run.waiting
        and _missing(group, current_run.steps, sorted(current_run.waiting)) != current_run.waiting
    ):
        address.draw_again()
    if (
        drained.waiting
        and step_times(group, view, current_run.steps, current_run.walks).waiting != drained.waiting
    ):
        address.draw_again()
    still = ", ".join(
        [*sorted(current_run.waiting), *(["the drain times"] if drained.waiting else [])]
    )
    st.html(f'<span class="note">Still computed: {escape(still)}</span>')
