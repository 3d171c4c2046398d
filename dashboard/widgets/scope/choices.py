"""The open group as the choices above the page have it answered: which client and release, which `auto.offset.reset`."""

from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.opening import opened
from evenkeel.dashboard.widgets.scope import gain, release, reset


def choose_first() -> None:
    """Take the choices of the address before anything is drawn."""
    gain.choose_first()
    release.choose_first(opened.current())
    reset.choose_first(release.asked(opened.current()))


def group() -> Opened | None:
    """Return the open group with the choices."""
    return reset.asked(release.asked(opened.current()))
