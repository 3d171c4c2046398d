"""Share of Streams: a link to the view, or the application and its steps frozen."""

from functools import partial

from evenkeel.dashboard.loading.shares import freezable_application
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.shares import forking, menu
from evenkeel.dashboard.widgets.shares.freezing import what_is_inside
from evenkeel.dashboard.widgets.shares.freezing.freeze_dialog import Offer, suggested_title
from evenkeel.dashboard.widgets.streams import what_if


def show(opened: Opened, chosen: str) -> None:
    """Draw the menu; the link opens what each assignor does at the step that is shown, `chosen` first."""
    now = what_if.place(opened)
    compute = partial(freezable_application, opened, now.steps)
    menu.show(Offer(compute, what_is_inside.of_application, suggested_title(now.steps), forking.origin(opened), now.step, chosen))
