"""The wheel `evenkeel-assignors`: what it holds, and that it needs nothing but the application's
client.
"""

import subprocess
import sys
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest

_SOURCE = Path(__file__).parents[2] / "deploy/python"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built as `pip wheel deploy/python` builds it, of the files that git has."""
    tree, made = tmp_path_factory.mktemp("tree"), tmp_path_factory.mktemp("dist")
    files = subprocess.run(
        ["git", "ls-files", "."], cwd=_SOURCE, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    for name in files:
        (tree / name).parent.mkdir(exist_ok=True)
        (tree / name).write_bytes((_SOURCE / name).read_bytes())
    code = f"from setuptools.build_meta import build_wheel; print(build_wheel({str(made)!r}))"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], cwd=tree, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return made / done.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    """An interpreter that has the wheel and nothing else."""
    folder = tmp_path_factory.mktemp("alone")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--disable-pip-version-check",
        "--python",
        folder / "bin/python",
    ]
    subprocess.run([*pip, "install", "--quiet", "--no-index", "--no-compile", wheel], check=True)
    return folder / "bin/python"


def test_the_wheel_requires_nothing_and_brings_one_package_alone(wheel):
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.partition("/")[0] for name in archive.namelist()}
        (about,) = (
            archive.read(name).decode() for name in archive.namelist() if name.endswith("METADATA")
        )

    assert {top.partition("-")[0] for top in tops} == {"evenkeel_assignors"}
    assert "Requires-Dist" not in about


def test_the_rule_is_imported_without_any_package(python):
    code = (
        "import evenkeel_assignors.leading, evenkeel_assignors.__main__, sys; print(*sys.modules)"
    )
    done = subprocess.run([python, "-c", code], capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
    assert {"numpy", "kafka", "aiokafka", "evenkeel"} & {
        name.partition(".")[0] for name in done.stdout.split()
    } == set()


@pytest.mark.parametrize(
    ("module", "client"), [("kafka_python", "kafka-python"), ("aio_kafka", "aiokafka")]
)
def test_beside_its_client_an_assignor_loads_no_numpy(python, module, client):
    code = (
        f"import sys, evenkeel_assignors.{module} as one; one.LagAssignor({{'group_id': 'g'}});"
        " print('numpy' in sys.modules)"
    )
    missing = subprocess.run([python, "-c", code], capture_output=True, text=True)
    assert (
        missing.stderr.splitlines()[-1] == "ModuleNotFoundError: No module named"
        f" '{client.removesuffix('-python').replace('-', '')}'"
    )

    places = {
        str(distribution(name).locate_file(""))
        for name in (client, "async-timeout", "packaging", "typing_extensions")
    }
    done = subprocess.run(
        [python, "-c", f"import sys; sys.path += {sorted(places)}\n{code}"],
        capture_output=True,
        text=True,
    )
    assert (done.stdout, done.stderr) == ("False\n", "")
