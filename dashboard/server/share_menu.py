"""The menu Share of a page: of the open group alone, or with the steps of What-if."""

from dashboard.view import Opened
from dashboard.widgets.edits import state
from dashboard.widgets.shares import menu


def of_group(group: Opened, candidate: str) -> None:
    """Draw the menu for a group as it is."""
    menu.show(group, [], 0, candidate)


def of_what_if(group: Opened, candidate: str) -> None:
    """Draw the menu for the scenario that is shown."""
    place = state.current(group).place
    menu.show(group, place.steps, place.step, candidate)
