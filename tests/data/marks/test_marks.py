"""Marks: stored, found by group and time, deleted; and the command that sets one."""

from datetime import UTC, datetime

import pytest

from evenkeel.data.commands.main import main
from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake.place import place_of
from evenkeel.data.marks.answer import add, delete, mark_in, marks_of, new_mark

AT = datetime(2026, 11, 27, 13, 29, tzinfo=UTC)
NOON, NIGHT = AT.replace(hour=12).timestamp(), AT.replace(hour=23).timestamp()


@pytest.fixture
def lake(tmp_path):
    return place_of(tmp_path / "lake")


def _texts(lake, group, since=NOON, until=NIGHT):
    return [each.text for each in marks_of(lake, "production", group, since, until)]


def test_a_group_has_its_own_marks_and_those_of_its_whole_cluster_by_time(lake):
    add(lake, new_mark("production", "payments", AT, "deploy 2.41.0"))
    add(lake, new_mark("production", None, AT.replace(hour=12, minute=30), "brokers restarted"))
    add(lake, new_mark("production", "billing", AT, "deploy 7"))
    add(lake, new_mark("staging", "payments", AT, "deploy 2.42.0"))

    assert _texts(lake, "payments") == ["brokers restarted", "deploy 2.41.0"]
    assert _texts(lake, "billing") == ["brokers restarted", "deploy 7"]
    assert _texts(lake, "payments", AT.timestamp(), AT.timestamp()) == ["deploy 2.41.0"]
    assert _texts(lake, "payments", AT.timestamp() + 1) == []


def test_a_mark_is_found_by_its_id_until_it_is_deleted(lake):
    mark = new_mark("production", "payments", AT, " deploy 2.41.0 ")
    add(lake, mark)
    assert mark.mark_id.startswith("production-20261127T132900Z-")
    assert mark_in(lake, mark.mark_id).text == "deploy 2.41.0"

    delete(lake, mark)

    with pytest.raises(SnapshotError, match="no mark"):
        mark_in(lake, mark.mark_id)


@pytest.mark.parametrize("mark_id", ["", "../manifests/x", "production-20261127T132900Z-zz"])
def test_an_id_that_is_none_opens_no_other_object(lake, mark_id):
    with pytest.raises(SnapshotError, match="no mark"):
        mark_in(lake, mark_id)


@pytest.mark.parametrize("text", ["", "  ", "x" * 121, "two\nlines"])
def test_a_text_that_is_no_line_of_120_characters_is_refused(text):
    with pytest.raises(SnapshotError, match="expected one line of 1 to 120 characters"):
        new_mark("production", None, AT, text)


def test_the_command_stores_a_mark_of_a_configured_cluster(tmp_path, lake, monkeypatch, capsys):
    path = tmp_path / "evenkeel.toml"
    path.write_text('[clusters.production]\n"bootstrap.servers" = "127.0.0.1:1"\n')
    monkeypatch.setenv("EVENKEEL_CONFIG", str(path))
    named = ["--cluster", "production", "--group", "payments", "--at", "2026-11-27T13:29:00Z"]

    assert main(["mark", "deploy 2.41.0", *named, "--out", lake.url]) == 0

    assert "2026-11-27T13:29:00Z  production/payments  deploy 2.41.0" in capsys.readouterr().out
    assert _texts(lake, "payments") == ["deploy 2.41.0"]


def test_a_cluster_that_nobody_knows_gets_no_mark(lake, capsys):
    assert main(["mark", "deploy", "--cluster", "prod", "--out", lake.url]) == 2

    assert 'cluster: found "prod"' in capsys.readouterr().err
