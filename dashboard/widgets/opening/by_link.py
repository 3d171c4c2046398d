"""The group that an address names: a worked example by its slug, or an upload by its random id and the group's place in it."""

from dashboard import loading
from dashboard.view import Opened
from dashboard.widgets.opening import importing, opened
from dashboard.widgets.parts import address
from data.scenarios.examples.streams_examples import STREAMS_EXAMPLES, streams_example
from data.scenarios.examples.worked_examples import WORKED_EXAMPLES, worked_example

_KEYS = ("sample", "opened")


def begins() -> bool:
    """Tell, once in a session, that it begins with the address of a group."""
    return address.begin() and address.says(*_KEYS)


def follow() -> None:
    """Open the group that the session's first address names, else say why not, and keep the address true to the open group."""
    slug, batch, place = (address.take(key) for key in (*_KEYS, "group"))
    if address.is_followed():
        opened.close()
    if slug is not None and (worked_example(slug) or streams_example(slug)):
        opened.open_example(slug)
    elif slug is not None:
        available = ", ".join(example.slug for example in (*WORKED_EXAMPLES, *STREAMS_EXAMPLES))
        address.refuse(opened.KEY, f"No worked example is called “{slug[:80]}”; available: {available}.")
    elif batch is not None:
        _open(batch, place or "1")
    _write(opened.current())
    address.show_refused(opened.KEY)
    importing.show_refused()


def _open(batch: str, place: str) -> None:
    found = importing.take_over(batch)
    if found is None:
        return
    groups = found.groups
    if place.isdecimal() and 1 <= int(place) <= len(groups):
        opened.open_group(groups.opened(int(place) - 1))
    else:
        address.refuse(opened.KEY, f"The address asks for group {place[:20]} of this upload, expected 1 to {len(groups)}.")


def _write(group: Opened | None) -> None:
    if group is None or group.slug:
        address.show(sample=group and group.slug)
        return
    groups = loading.imported(group.batch).groups
    address.show(opened=group.batch, group=str(groups.place_of(group) + 1) if len(groups) > 1 else None)
