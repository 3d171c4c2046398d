"""The menu Share of a page: of the open group alone, or with the steps of What-if."""

from collections.abc import Sequence
from functools import partial

from evenkeel.dashboard.loading.sharing.freezable import freezable
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.edits.steps import what_if
from evenkeel.dashboard.widgets.scope import gain
from evenkeel.dashboard.widgets.shares import menu, opened_share, report_files
from evenkeel.dashboard.widgets.shares.menu import Offer, suggested_title
from evenkeel.dashboard.widgets.steps import state
from evenkeel.data.scenarios.scenario.scenario import Step


def of_group(group: Opened, candidate: str) -> None:
    """Draw the menu for a group as it is."""
    _show(group, [], 0, candidate)


def of_what_if(group: Opened, candidate: str) -> None:
    """Draw the menu for the scenario that is shown."""
    place = state.current(what_if(group)).place
    _show(group, place.steps, place.step, candidate)


def _show(group: Opened, steps: Sequence[Step], step: int, candidate: str) -> None:
    compute = partial(freezable, group, steps, gain.asked())
    offer = Offer(compute, menu.inside_group, suggested_title(steps), opened_share.origin(group), step, candidate)
    menu.show(offer, partial(report_files.show, compute, step, candidate))
