"""The administrator's tables of plug-ins."""

import tomllib
from pathlib import Path

import pytest

from data.configuration.plugins import plugins_of
from data.errors import SnapshotError
from data.plugin.available import available

FILE = Path("/etc/evenkeel/evenkeel.toml")


def test_without_a_table_there_are_no_plug_ins():
    assert plugins_of({}, FILE) == {}
    assert list(available({})) == list(available(plugins_of({}, FILE)))


def test_a_table_says_jars_class_limits_and_settings():
    tables = tomllib.loads("""
        [plugins.ours]
        jars = ["ours.jar", "/opt/lib.jar"]
        class = "com.example.Ours$Inner"
        memory = "1g"
        time_limit = "1.5m"
        settings = {"weight" = 3, "name" = "x", "on" = true}
    """)

    ours = plugins_of(tables, FILE)["ours"]

    assert ours.jars == ("/etc/evenkeel/ours.jar", "/opt/lib.jar")
    assert (ours.class_name, ours.memory, ours.time_limit_seconds) == ("com.example.Ours$Inner", "1g", 90.0)
    assert ours.settings == {"weight": 3, "name": "x", "on": True}


def test_limits_have_defaults():
    ours = plugins_of({"plugins": {"ours": {"jars": ["ours.jar"], "class": "Ours"}}}, FILE)["ours"]

    assert (ours.memory, ours.time_limit_seconds, ours.settings) == ("256m", 5.0, {})


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        ({"jars": ["a.jar"]}, "missing required field `class`"),
        ({"jars": "a.jar", "class": "A"}, r"Expected `array`, got `str` - at `\$.jars`"),
        ({"jars": [], "class": "A", "memori": "1g"}, "contains unknown field `memori`"),
        ({"jars": [], "class": "A", "memory": "much"}, r"\$.memory"),
        ({"jars": [], "class": "A", "time_limit": "5"}, r"\$.time_limit"),
        ({"jars": [], "class": "-Xmx9g"}, r"\$.class"),
        ({"jars": [], "class": "A", "settings": {"list": []}}, r"\$.settings"),
        ("A", "Expected `object`, got `str`"),
    ],
)
def test_a_wrong_table_is_refused_by_file_and_path(table, complaint):
    with pytest.raises(SnapshotError, match=f"/etc/evenkeel/evenkeel.toml: plugins.ours: .*{complaint}"):
        plugins_of({"plugins": {"ours": table}}, FILE)


@pytest.mark.parametrize("name", ["range", "Range", "cooperative-sticky", "current"])
def test_a_plug_in_cannot_take_a_name_that_is_taken(name):
    with pytest.raises(SnapshotError, match=f"plugins.{name}: {name.lower()} is a name of Evenkeel's own, expected another"):
        plugins_of({"plugins": {name: {"jars": [], "class": "A"}}}, FILE)


@pytest.mark.parametrize("name", ["", "a b", "<b>", "-x", "x" * 41])
def test_a_name_fits_a_table_and_a_command_line(name):
    with pytest.raises(SnapshotError, match="the name has other characters than letters, digits"):
        plugins_of({"plugins": {name: {"jars": [], "class": "A"}}}, FILE)


def test_plugins_is_a_table_of_tables():
    with pytest.raises(SnapshotError, match=r"plugins is \[\], expected one table \[plugins.NAME\] for each"):
        plugins_of({"plugins": []}, FILE)
