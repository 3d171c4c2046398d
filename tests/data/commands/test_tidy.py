"""`evenkeel tidy`, in a folder and in object storage."""

from datetime import timedelta

import pytest

from evenkeel.data.commands.main import main
from evenkeel.data.lake.lease import TIDYING, leased
from evenkeel.data.lake.place import place_of
from evenkeel.data.lake.slots import tidy
from tests.data.lake.slots.collected import DAY, seen, snapshot


@pytest.fixture(params=["folder", "s3"])
def lake(request, tmp_path, monkeypatch):
    """A lake with two slots of one day, which the configuration names."""
    lake = (
        place_of(tmp_path / "lake")
        if request.param == "folder"
        else request.getfixturevalue("bucket") / "lake"
    )
    settings = dict(lake.settings)
    keys = [f'{key} = "{settings[key]}"' for key in ("endpoint", "region") if settings]
    keys += (
        ['access_key = {env = "LAKE_KEY"}', 'secret_key = {env = "LAKE_SECRET"}']
        if settings
        else []
    )
    configuration = tmp_path / "evenkeel.toml"
    configuration.write_text(
        "\n".join(
            [
                "[lake]",
                f'path = "{tmp_path}/other"',
                'keep_slots = "9000d"',
                'keep_thinned = "9999d"',
                *keys,
            ]
        )
    )
    monkeypatch.setenv("EVENKEEL_CONFIG", str(configuration))
    monkeypatch.setenv("LAKE_KEY", settings.get("access_key_id", ""))
    monkeypatch.setenv("LAKE_SECRET", settings.get("secret_access_key", ""))
    monkeypatch.setattr(tidy, "_SETTLE_SECONDS", 0)
    for minute in range(2):
        snapshot(lake, DAY + minute * timedelta(minutes=1))
    return lake


def test_it_says_what_it_did_and_what_it_read_before_is_there(lake, monkeypatch, capsys):
    before = seen(lake)
    assert main(["tidy", "--out", lake.url]) == 0
    monkeypatch.setattr(tidy, "GRACE", timedelta(0))
    assert main(["tidy", "--out", lake.url]) == 0
    assert main(["tidy", "--out", lake.url]) == 0

    out, complaint = capsys.readouterr()
    assert out.splitlines() == [
        "cluster c, 2026-11-10: 2 slots stored by the day",
        "6 files deleted: no batch needs them",
        f"nothing to do in {lake}",
    ]
    assert complaint == ""
    assert seen(lake) == before


def test_a_second_one_is_refused_in_one_line(lake, capsys):
    with leased(lake, "lake", TIDYING):
        assert main(["tidy", "--out", lake.url]) == 2

    assert (
        capsys.readouterr().err
        == f"evenkeel tidy: another process tidies {lake}; try again when it is done\n"
    )


@pytest.mark.parametrize("name", ["empty", "missing"])
def test_a_folder_that_is_no_lake_is_named(tmp_path, capsys, name):
    (tmp_path / "empty").mkdir()

    assert main(["tidy", "--out", str(tmp_path / name)]) == 2
    assert capsys.readouterr() == (
        "",
        (
            f"evenkeel tidy: {tmp_path / name} is no lake: evenkeel collect and evenkeel"
            " ingest have stored nothing in it\n"
        ),
    )
    assert [path.name for path in tmp_path.iterdir()] == ["empty"]
    assert not any((tmp_path / "empty").iterdir())
