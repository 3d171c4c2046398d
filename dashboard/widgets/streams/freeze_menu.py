"""Share of Streams: a link to the view, or the application and its steps frozen."""

from functools import partial

from dashboard.loading.sharing.freezable import freezable_application
from dashboard.view import Opened
from dashboard.widgets.shares import forking, menu
from dashboard.widgets.shares.freezing import what_is_inside
from dashboard.widgets.shares.freezing.freeze_dialog import Offer, suggested_title
from dashboard.widgets.streams.what_if import step_state


def show(opened: Opened, chosen: str) -> None:
    """Draw the menu; the link opens what each assignor does at the step that is shown, `chosen` first."""
    now = step_state.current(opened)
    compute = partial(freezable_application, opened, now.steps)
    menu.show(Offer(compute, what_is_inside.of_application, suggested_title(now.steps), forking.origin(opened), now.at, chosen))
