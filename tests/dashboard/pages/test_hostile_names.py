"""No page crashes over a name, whatever it is and whatever has it; `no_crash` fails the test of a
page that does.
"""

import json

import pytest

from tests.dashboard.pasted import HEADER
from tests.data.shares.redaction import planted

NASTY = (
    "²",
    "٣",
    "a" + "9" * 5_000,
    "9" * 5_000,
    "-1",
    "1e9",
    "nan",
    "\u202e",
    "members[" + "9" * 5_000 + "].owned",
    "members[7].owned",
    "topics[²].lag",
)


def _named(value, name):
    """Return a document whose canaries are names that begin with this one: still different ones
    where they were.
    """
    if isinstance(value, dict):
        return {_named(key, name): _named(each, name) for key, each in value.items()}
    if isinstance(value, list):
        return [_named(each, name) for each in value]
    return (
        value.replace("canary-", name, 1)
        if isinstance(value, str) and "canary" in value and "|" not in value
        else value
    )


@pytest.mark.parametrize("name", NASTY, ids=lambda name: ascii(name)[:24])
def test_any_name_in_any_place_of_a_listing_is_shown_on_every_page(page, name):
    two = "".join(
        f"{name}g {name}t{number} 0 10 {110 + number} {100 + number} {name}m{number}"
        f" /{name}{number} {name}c\n"
        for number in (2, 10)
    )

    page.paste(HEADER + two)

    for each in ("overview", "compare", "moves", "whatif", "groups", "start"):
        page.open(each)


@pytest.mark.parametrize("name", NASTY, ids=lambda name: ascii(name)[:24])
def test_any_text_in_any_place_of_a_document_is_shown_on_every_page(page, name):
    for document, pages in (
        (planted.group(), ("overview", "compare", "moves", "whatif")),
        (planted.application(), ("streams",)),
    ):
        # A path may be assumed, and is none here.
        page.anew().paste(
            json.dumps(_named(document, name) | {"assumed": [name, f"members[0].{name}"]})
        )

        for each in pages:
            page.open(each)
