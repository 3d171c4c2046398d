"""A choice follows the address, is drawn, and is left out of the address at its default."""

import pytest
from streamlit.testing.v1 import AppTest

from evenkeel.dashboard.shell import address


def _options():
    import streamlit as st

    from evenkeel.dashboard.shell import address
    from evenkeel.dashboard.shell.choice import Options

    table = Options("best-table", {"plan": "Plan", "assignors": "Assignors"}, "plan", "table")
    zone = Options("zone-of-log", ("UTC", "Asia/Tokyo"), "UTC", "zone", "log-zone")
    address.begin()
    with address.drawn():
        st.text(f"{table.follow()} {zone.follow()}")
        table.show("Table")
        zone.select("Zone")


def _number():
    import streamlit as st

    from evenkeel.dashboard.shell import address
    from evenkeel.dashboard.shell.choice import Number

    rate = Number("streams-rate", "the restore rate", 1_000, 1, "rate")
    address.begin()
    with address.drawn():
        rate.follow()
        st.text(str(rate.show("Rate")))


def _listed(is_part):
    import streamlit as st

    from evenkeel.dashboard.shell import address
    from evenkeel.dashboard.shell.choice import ListedGroup

    group = ListedGroup("log-group", ["audit", "orders"], "audit", "group", is_part=is_part)
    address.begin()
    with address.drawn():
        st.text(group.follow())
        group.write()


def _opened(script, link, **args):
    app = AppTest.from_function(script, kwargs=args)
    for key, value in link.items():
        app.query_params[key] = value
    return app.run()


def _seen(app):
    """Return the text, the address and the lines about wrong parts of it."""
    assert not app.exception
    link = {
        key: value if isinstance(value, str) else value[0]
        for key, value in app.query_params.items()
    }
    return app.text[0].value, link, [line.value.replace("\\", "") for line in app.warning]


@pytest.mark.parametrize(
    ("link", "value", "kept"),
    [
        ({}, "plan UTC", {}),
        ({"best-table": "plan", "log-zone": "UTC"}, "plan UTC", {}),
        (
            {"best-table": "assignors", "log-zone": "Asia/Tokyo"},
            "assignors Asia/Tokyo",
            {"best-table": "assignors", "log-zone": "Asia/Tokyo"},
        ),
    ],
)
def test_options_follow_the_address_which_keeps_all_but_defaults(link, value, kept):
    assert _seen(_opened(_options, link)) == (value, kept, [])


def test_an_option_that_does_not_exist_is_one_line_until_another_is_chosen():
    app = _opened(_options, {"best-table": "curve"})
    line = "The URL asks for the table “curve”; available: plan, assignors."

    assert _seen(app) == ("plan UTC", {}, [line])
    assert _seen(app.run()) == ("plan UTC", {}, [line])
    app.segmented_control(key="best-table").set_value("assignors").run()
    assert _seen(app) == ("assignors UTC", {"best-table": "assignors"}, [])


def test_back_to_an_address_without_a_choice_shows_its_default(monkeypatch):
    app = _opened(_options, {})
    app.selectbox(key="zone-of-log").set_value("Asia/Tokyo").run()
    chosen = _seen(app)
    monkeypatch.setattr(address, "_is_gone_back", lambda: True)
    del app.query_params["log-zone"]

    assert chosen == ("plan Asia/Tokyo", {"log-zone": "Asia/Tokyo"}, [])
    assert _seen(app.run()) == ("plan UTC", {}, [])


@pytest.mark.parametrize("wrong", ["0", "1001", "fast", "", "²"])
def test_a_number_outside_its_limits_is_one_line(wrong):
    line = f"The URL asks for the restore rate “{wrong}”, expected a whole number from 1 to 1,000."

    assert _seen(_opened(_number, {"rate": wrong})) == ("None", {}, [line])


def test_a_number_is_kept_in_the_address_until_the_field_is_empty():
    app = _opened(_number, {"rate": "250"})
    first = _seen(app)
    app.number_input(key="streams-rate").set_value(None).run()

    assert first == ("250", {"rate": "250"}, [])
    assert _seen(app) == ("None", {}, [])


@pytest.mark.parametrize(
    ("is_part", "link", "group", "kept", "line"),
    [
        (False, {"place": "2"}, "orders", {"place": "2"}, ""),
        (False, {"group": "orders"}, "orders", {"place": "2"}, ""),
        (False, {}, "audit", {"place": "1"}, ""),
        (
            False,
            {"place": "3"},
            "audit",
            {"place": "1"},
            "The URL asks for the group “3” of this list, expected its name, or a place from 1"
            " to 2.",
        ),
        (True, {"group": "orders"}, "orders", {"group": "orders"}, ""),
        (
            True,
            {"place": "2"},
            "audit",
            {"group": "audit"},
            "The URL asks for the group “2” of this list, expected its name.",
        ),
    ],
)
def test_a_listed_group_is_in_the_address_by_place_or_for_a_reader_of_a_part_by_name(
    is_part, link, group, kept, line
):
    assert _seen(_opened(_listed, link, is_part=is_part)) == (group, kept, [line] * bool(line))
