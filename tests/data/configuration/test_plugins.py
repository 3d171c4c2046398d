"""The administrator's tables of plug-ins."""

import tomllib
from datetime import timedelta
from pathlib import Path

import pytest

from evenkeel.data.configuration.file import configuration_of
from evenkeel.data.configuration.plugin import available
from evenkeel.data.errors import SnapshotError

FILE = Path("/etc/evenkeel/evenkeel.toml")


def plugins_of(tables):
    return configuration_of(tables, FILE).plugins


def test_without_a_table_there_are_no_plug_ins():
    assert plugins_of({}) == {}
    assert list(available({})) == list(available(plugins_of({})))


def test_a_table_says_jars_class_limits_and_settings():
    tables = tomllib.loads("""
        [plugins.ours]
        jars = ["ours.jar", "/opt/lib.jar"]
        class = "com.example.Ours$Inner"
        memory = "1g"
        time_limit = "1.5m"
        settings = {"weight" = 3, "name" = "x", "on" = true}
    """)

    ours = plugins_of(tables)["ours"]

    assert ours.jars == ("/etc/evenkeel/ours.jar", "/opt/lib.jar")
    assert (ours.class_name, ours.memory, ours.time_limit) == (
        "com.example.Ours$Inner",
        "1g",
        timedelta(seconds=90),
    )
    assert ours.settings == {"weight": 3, "name": "x", "on": True}


def test_limits_have_defaults():
    ours = plugins_of({"plugins": {"ours": {"jars": ["ours.jar"], "class": "Ours"}}})["ours"]

    assert (ours.memory, ours.time_limit, ours.settings) == ("256m", timedelta(seconds=5), {})


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        (
            {"jars": ["a.jar"]},
            (
                "no key plugins.ours.class, expected the full name of a class, such as"
                " com.example.OurAssignor"
            ),
        ),
        ({"jars": "a.jar", "class": "A"}, "plugins.ours.jars is a string, expected a list"),
        (
            {"jars": ["a.jar", ""], "class": "A"},
            "plugins.ours.jars[1] is a string, expected the path of a jar",
        ),
        (
            {"jars": [], "class": "A", "memori": "1g"},
            (
                "unknown key plugins.ours.memori, expected one of: class, jars, memory, settings,"
                " time_limit"
            ),
        ),
        (
            {"jars": [], "class": "A", "memory": "much"},
            'plugins.ours.memory is a string, expected a number and k, m or g, such as "256m"',
        ),
        (
            {"jars": [], "class": "A", "time_limit": "5"},
            (
                "plugins.ours.time_limit is a string, expected a number and s, m, h or d, such as"
                ' "24h"'
            ),
        ),
        (
            {"jars": [], "class": "-Xmx9g"},
            (
                "plugins.ours.class is a string, expected the full name of a class, such as"
                " com.example.OurAssignor"
            ),
        ),
        (
            {"jars": [], "class": "A", "settings": {"on": True, "list": []}},
            (
                "plugins.ours.settings.list is a list, expected a string or a whole number or a"
                " number or true or false"
            ),
        ),
        ("A", "plugins.ours is a string, expected a table"),
    ],
)
def test_a_wrong_table_is_refused_by_file_and_key(table, complaint):
    good = {"jars": ["good.jar"], "class": "Good"}

    with pytest.raises(SnapshotError) as refusal:
        plugins_of({"plugins": {"good": good, "ours": table}})

    assert str(refusal.value) == f"/etc/evenkeel/evenkeel.toml: {complaint}"


@pytest.mark.parametrize("name", ["range", "Range", "cooperative-sticky", "current"])
def test_a_plug_in_cannot_take_a_name_that_is_taken(name):
    with pytest.raises(
        SnapshotError,
        match=f"plugins.{name}: Evenkeel uses the name {name.lower()}, expected another",
    ):
        plugins_of({"plugins": {name: {"jars": [], "class": "A"}}})


@pytest.mark.parametrize("name", ["", "a b", "<b>", "-x", "x" * 41])
def test_a_name_fits_a_table_and_a_command_line(name):
    with pytest.raises(SnapshotError, match="expected a name of at most 40 letters, digits"):
        plugins_of({"plugins": {name: {"jars": [], "class": "A"}}})


def test_plugins_is_a_table_of_tables():
    with pytest.raises(SnapshotError, match=r"plugins is a list, expected a table"):
        plugins_of({"plugins": []})
