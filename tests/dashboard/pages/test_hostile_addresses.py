"""No page crashes, whatever stands in its address; `no_crash` fails the test of a page that
does.
"""

import pytest

from evenkeel.dashboard.shell import address
from evenkeel.data.configuration import configuration
from evenkeel.data.rebalances.store import store_logs
from evenkeel.data.sources.examples.worked_examples import example_log

NASTY = (
    "²",
    "٣",
    "9" * 5_000,
    "a" + "9" * 5_000,
    "-1",
    "1e9",
    "nan",
    "\u202e",
    "0001-01-01T00:00+23:00",
    "9999-12-31T23:59-23:00",
    "x@²",
    "",
    "\0",
    "%ED%A0%80",
)
pytestmark = pytest.mark.usefixtures("cookies")

_OPENING = (
    "sample",
    "example",
    "opened",
    "place",
    "group",
    "cluster",
    "at",
    "read",
    "share",
    "log",
)
_WITHIN = (
    *(
        "owners",
        "a",
        "b",
        "from",
        "to",
        "range",
        "via",
        "step",
        "show",
        "steps",
        "draft",
        "scenario",
        "sort",
        "reset",
        "release",
        "candidate",
    ),
    *(
        "gain",
        "since",
        "rows",
        "watch",
        "search",
        "type",
        "state",
        "verdict",
        "page",
        "topic",
        "more",
        "quiet",
        "rate",
        "round",
        "assignor",
        "kafka",
    ),
    *("aim", "at-most", "per-member", "racks", "within", "best-table", "plan"),
    *("span", "log-zone", "rebalance", "cause"),
)
PAGES = {
    "start": {},
    "groups": {},
    "shared": {},
    "overview": {"sample": "lag-aware"},
    "compare": {"sample": "lag-aware"},
    "best": {"sample": "lag-aware"},
    "moves": {"sample": "lag-aware"},
    "whatif": {"sample": "lag-aware"},
    "timeline": {"sample": "lag-aware"},
    "streams": {"sample": "kip-441"},
    "rebalances": {},
    "readiness": {"sample": "lag-aware"},
}


def _link(name):
    """Return what opens a page; that of a log names what the lake has of it."""
    return (
        {"log": store_logs(configuration().lake, [example_log()])}
        if name == "rebalances"
        else PAGES[name]
    )


@pytest.fixture
def taken(monkeypatch):
    """Which parameters pages look for."""
    found, take = set(), address.take
    monkeypatch.setattr(address, "take", lambda key: (found.add(key), take(key))[1])
    return found


@pytest.mark.parametrize("name", PAGES)
def test_a_page_takes_any_text_in_each_of_its_parameters(page, name):
    for turn in range(len(NASTY)):
        link = {key: NASTY[(turn + place) % len(NASTY)] for place, key in enumerate(_WITHIN)}

        page.anew().open(name, **link | _link(name))


@pytest.mark.parametrize(
    "name", ["overview", "compare", "streams", "timeline", "shared", "rebalances", "readiness"]
)
def test_an_address_opens_nothing_with_any_text(page, name):
    for turn in range(len(NASTY)):
        for keys in (
            _OPENING,
            ("opened", "group"),
            ("cluster", "group", "at"),
            ("share",),
            ("log",),
        ):
            page.anew().open(
                name, **{key: NASTY[(turn + place) % len(NASTY)] for place, key in enumerate(keys)}
            )


def test_every_parameter_that_a_page_takes_is_tried(page, taken):
    for name in PAGES:
        page.anew().open(name, **_link(name))

    assert taken - {*_OPENING, *_WITHIN} == set()
