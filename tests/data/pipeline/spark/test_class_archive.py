"""The archive of the classes that Spark's Java loads, with a real Java."""

import os
import shlex
import subprocess

import pytest

from evenkeel.data.configuration.java import java_home
from evenkeel.data.pipeline import session

OTHERS = "-XX:+UseSerialGC"


@pytest.fixture
def options(tmp_path):
    """Return a function that gives the options of the next start."""
    return lambda: session.archive_options(java_home(), OTHERS, tmp_path)


def started(options):
    """Run a program of the JDK whose classes the archive takes, and say from where each was
    loaded.
    """
    command = [
        java_home() / "bin" / "java",
        OTHERS,
        *shlex.split(options),
        "-Xlog:class+load",
        "-m",
        "jdk.compiler/com.sun.tools.javac.Main",
        "-version",
    ]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_the_first_start_writes_and_the_later_ones_use(tmp_path, options):
    first, meanwhile = options(), options()
    plain = started(first)
    archived = started(options())

    [archive] = tmp_path.glob("*.jsa")
    assert first == shlex.quote(f"-XX:ArchiveClassesAtExit={archive}")
    assert meanwhile == ""
    assert options() == shlex.quote(f"-XX:SharedArchiveFile={archive}")
    assert "com.sun.tools.javac.Main source: jrt:/jdk.compiler" in plain
    assert "com.sun.tools.javac.Main source: shared objects file (top)" in archived


def test_an_archive_that_is_cut_is_ignored(tmp_path, options):
    started(options())
    [archive] = tmp_path.glob("*.jsa")
    content = archive.read_bytes()
    archive.chmod(0o644)
    archive.write_bytes(bytes(4096) + content[4096 : len(content) // 2])

    assert "com.sun.tools.javac.Main source: jrt:/jdk.compiler" in started(options())


def test_another_start_writes_where_the_first_one_was_killed(tmp_path, options):
    first = options()
    [begun] = tmp_path.glob("*.begun")
    long_ago = begun.stat().st_mtime - session.STALE_SECONDS - 1
    os.utime(begun, (long_ago, long_ago))

    assert (options(), options()) == (first, "")


def test_a_folder_that_is_not_there_has_no_archive(tmp_path):
    assert session.archive_options(java_home(), OTHERS, tmp_path / "gone") == ""


def test_another_java_or_other_options_have_an_archive_of_their_own(tmp_path):
    homes = [java_home(), java_home(), tmp_path]

    names = {
        session.archive_options(home, others, tmp_path)
        for home, others in zip(homes, ["", OTHERS, ""], strict=True)
    }

    assert len(names) == 3


@pytest.fixture
def jdk(tmp_path):
    """Return a function that makes the folder of a JDK of a version."""

    def made(version):
        home = tmp_path / version
        home.mkdir()
        (home / "release").write_text(
            'IMPLEMENTOR="Eclipse'
            f' Adoptium"\nJAVA_RUNTIME_VERSION="{version}+7"\nJAVA_VERSION="{version}"\n'
        )
        return home

    return made


@pytest.mark.parametrize("version", ["19", "21.0.2", "25.0.1"])
def test_from_19_on_java_itself_writes_uses_and_renews_the_archive(jdk, tmp_path, version):
    home = jdk(version)

    first, meanwhile = (
        shlex.split(session.archive_options(home, OTHERS, tmp_path)) for _ in range(2)
    )
    archive = first[-1].partition("=")[2]
    (tmp_path / archive).touch()

    # Java ends at once where the first option comes without the second.
    assert first[-2:] == ["-XX:+AutoCreateSharedArchive", f"-XX:SharedArchiveFile={archive}"]
    assert first == meanwhile == shlex.split(session.archive_options(home, OTHERS, tmp_path))
    assert list(tmp_path.glob("*.begun")) == []


@pytest.mark.parametrize("version", ["17.0.15", "18.0.2.1"])
def test_before_19_the_first_start_is_told_to_write_the_archive(jdk, tmp_path, version):
    home = jdk(version)

    assert session.archive_options(home, OTHERS, tmp_path).startswith("-XX:ArchiveClassesAtExit=")
    assert session.archive_options(home, OTHERS, tmp_path) == ""


def test_the_archive_of_another_java_is_deleted_when_the_first_one_of_this_java_is_begun(
    jdk, tmp_path
):
    (tmp_path / "spark-classes-0123456789ab.jsa").touch()

    session.archive_options(jdk("21"), OTHERS, tmp_path)

    assert list(tmp_path.glob("*.jsa")) == []


def test_java_19_and_later_get_no_options_for_a_folder_that_is_not_there(jdk, tmp_path):
    assert session.archive_options(jdk("21"), OTHERS, tmp_path / "gone") == ""
