"""Which Java runs Spark."""

import pytest

from evenkeel.data.configuration import java
from evenkeel.data.errors import SnapshotError


@pytest.fixture(autouse=True)
def ask_again():
    java.java_home.cache_clear()
    yield
    java.java_home.cache_clear()


@pytest.fixture
def jdk(tmp_path):
    """Return a function that makes a JDK whose `java --list-modules` prints the given line."""

    def made(name, modules):
        binary = tmp_path / name / "bin" / "java"
        binary.parent.mkdir(parents=True)
        binary.write_text(f"#!/bin/sh\necho '{modules}'\n")
        binary.chmod(0o755)
        return tmp_path / name

    return made


def only(monkeypatch, *homes):
    monkeypatch.setattr(java, "_candidates", lambda: iter(homes))


def test_a_jdk_with_the_module_is_taken(monkeypatch, jdk):
    home = jdk("jdk", "jdk.incubator.vector@21.0.1")
    only(monkeypatch, home)

    assert java.java_home() == home


def test_an_old_jdk_a_runtime_without_the_module_and_an_empty_folder_are_passed_over(
    monkeypatch, jdk, tmp_path
):
    good = jdk("good", "jdk.incubator.vector@17.0.15")
    only(
        monkeypatch,
        jdk("old", "jdk.incubator.vector@16.0.2"),
        jdk("runtime", "java.base@21"),
        tmp_path / "empty",
        good,
    )

    assert java.java_home() == good


def test_java_home_comes_first(monkeypatch, jdk):
    home = jdk("chosen", "jdk.incubator.vector@21")
    monkeypatch.setenv("JAVA_HOME", str(home))

    assert java.java_home() == home


def test_without_java_one_line_says_what_is_missing_and_how_to_install_it(monkeypatch):
    only(monkeypatch)

    with pytest.raises(SnapshotError) as refusal:
        java.java_home()

    assert str(refusal.value).startswith(
        "missing: a JDK 17 or newer with the module jdk.incubator.vector; install it with: "
    )
    assert "\n" not in str(refusal.value)
