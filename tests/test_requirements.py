"""The packages that `make setup` installs are the ones that were tried, byte for byte; so are those
that build and those that check them.
"""

import hashlib
import os
import re
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[1]
_MAKEFILE, _CONTAINERFILE = (
    (_ROOT / name).read_text().replace("\\\n", "") for name in ("Makefile", "Containerfile")
)


def lines_of(name):
    text = (_ROOT / name).read_text().replace("\\\n", "")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-tools.txt"])
def test_every_package_has_one_version_and_the_hashes_of_its_files(name):
    packages = lines_of(name)

    assert packages
    assert [
        line
        for line in packages
        if not re.fullmatch(r"\S+==\S+( ; [^#]+?)?(\s+--hash=sha256:[0-9a-f]{64})+", line)
    ] == []


def test_whatever_is_installed_by_name_is_compared_with_its_hash():
    text = _MAKEFILE.replace(
        "$(PINNED)", re.search(r"^PINNED := (.*)$", _MAKEFILE, re.MULTILINE)[1]
    )
    commands = re.findall(r"\bpip (?:install|wheel) [^\n&]*", text + _CONTAINERFILE)
    of_ours = [
        line
        for line in commands
        if re.search(r"--editable \.|dist/evenkeel-|\./deploy/python|--no-index", line)
    ]

    assert len(commands) - len(of_ours) >= 5
    assert [
        line for line in commands if line not in of_ours and "--require-hashes" not in line
    ] == []
    assert [
        line for line in commands if line not in of_ours and "--only-binary :all:" not in line
    ] == []
    assert [
        line
        for line in [*of_ours, *commands]
        if "--no-binary" in line and "--no-build-isolation" not in line
    ] == []


MALICIOUS = "import pathlib, os\npathlib.Path(os.environ['RAN']).touch()\n"


def packed(path, files):
    """Write a wheel or a source archive with these files."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path, "w") as archive:
            for name, text in files.items():
                archive.writestr(name, text)
        return
    tree = path.parent / "tree"
    for name, text in files.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text)
    with tarfile.open(path, "w:gz") as archive:
        archive.add(tree / "pyspark-4.3.0", "pyspark-4.3.0")
    shutil.rmtree(tree)


def test_a_setuptools_with_other_bytes_than_those_that_were_tried_never_runs(tmp_path):
    """A package that comes as source is built by it, and pip takes what it builds with from the
    index without a hash.
    """
    index, ran = tmp_path / "index", tmp_path / "ran"
    index.mkdir()
    version = (
        next(line for line in lines_of("requirements.txt") if line.startswith("setuptools=="))
        .split()[0]
        .partition("==")[2]
    )
    about = f"setuptools-{version}.dist-info"
    other = {
        "setuptools/__init__.py": MALICIOUS,
        "setuptools/build_meta.py": MALICIOUS,
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: setuptools\nVersion: {version}\n",
        f"{about}/WHEEL": (
            "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        ),
        f"{about}/RECORD": "",
    }
    packed(index / f"setuptools-{version}-py3-none-any.whl", other)
    source = index / "pyspark-4.3.0.tar.gz"
    described = {
        "pyproject.toml": (
            '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n'
        ),
        "setup.py": "",
    }
    packed(source, {f"pyspark-4.3.0/{name}": text for name, text in described.items()})
    setuptools = re.search(
        r"^setuptools==(?:.*\\\n)+.*\n", (_ROOT / "requirements.txt").read_text(), re.MULTILINE
    )[0]
    of_source = (
        f"pyspark==4.3.0 \\\n    --hash=sha256:{hashlib.sha256(source.read_bytes()).hexdigest()}\n"
    )
    (tmp_path / "requirements.txt").write_text(f"# These.\n{of_source}{setuptools}")
    for name in ("Makefile", "pyproject.toml", ".ci/need"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(_ROOT / name, tmp_path / name)

    given = {
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(index),
        "PIP_NO_CACHE_DIR": "1",
        "RAN": str(ran),
    }
    done = subprocess.run(
        ["make", "setup"],
        cwd=tmp_path,
        env=os.environ | given,
        capture_output=True,
        text=True,
        timeout=300,
    )

    assert done.returncode != 0
    assert not ran.exists()
    assert "THESE PACKAGES DO NOT MATCH THE HASHES" in done.stderr


def test_what_go_builds_is_one_version_with_the_hash_of_all_of_it():
    assert re.search(r"^OAUTH2_PROXY := \S+@v\d+\.\d+\.\d+$", _MAKEFILE, re.MULTILINE)
    assert re.search(r"^OAUTH2_PROXY_SUM := h1:[A-Za-z0-9+/]{43}=$", _MAKEFILE, re.MULTILINE)
    assert "go install" not in _MAKEFILE


def test_a_module_of_another_hash_is_not_built(tmp_path):
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv/ready").touch()
    (tmp_path / ".ci").mkdir()
    for name, text in {
        ".ci/need": "#!/bin/sh\n",
        "go": '#!/bin/sh\necho \'{"Dir": "/", "Sum": "h1:other="}\'; echo "$1" >> ran\n',
    }.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    for name in ("requirements.txt", "pyproject.toml"):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (0, 0))
    shutil.copy(_ROOT / "Makefile", tmp_path)

    given = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["make", "oauth2-proxy"],
        cwd=tmp_path,
        env=os.environ | given,
        capture_output=True,
        text=True,
    )

    assert done.returncode != 0
    assert "has another hash than h1:" in done.stderr
    assert (tmp_path / "ran").read_text() == "mod\n"
