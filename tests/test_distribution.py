"""The wheel and each of its extras, in an environment that has only what that extra brings; every
other package is out of reach.
"""

import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import Distribution, distribution
from pathlib import Path
from urllib.request import urlopen

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.dashboard.browser.session import PageError, Session
from tests.services.ports import free_port
from tests.waiting import awaited, until

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
FOLDERS = ("assignors", "data", "dashboard", "evenkeel")
BESIDE = ("pyproject.toml", "MANIFEST.in", "README.md", "CHANGELOG.md", "LICENSE")
LISTING = """\
GROUP     TOPIC   PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG     CONSUMER-ID     HOST         CLIENT-ID
payments  orders  0          1000            101000          100000  pay-a-0f3c      /10.4.1.17   pay-a
payments  orders  1          1000            61000           60000   pay-b-7ac2      /10.4.1.18   pay-b
"""  # noqa: E501


# -- what is built --


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """The wheel, built of the unpacked source archive, as `make dist` builds it."""
    tree, made = tmp_path_factory.mktemp("tree"), tmp_path_factory.mktemp("dist")
    for name in FOLDERS:
        shutil.copytree(
            ROOT / name, tree / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__")
        )
    for name in BESIDE:
        shutil.copy(ROOT / name, tree)
    with tarfile.open(_build("sdist", tree, made)) as archive:
        archive.extractall(made, filter="data")
    return _build("wheel", made / f"evenkeel-{PROJECT['version']}", made)


def _build(kind: str, tree: Path, out: Path) -> Path:
    code = f"from setuptools.build_meta import build_{kind}; print(build_{kind}({str(out)!r}))"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], cwd=tree, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return out / done.stdout.splitlines()[-1]


def _contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_wheel_holds_evenkeel_and_every_file_of_it_that_git_has(wheel):
    listed = subprocess.run(
        ["git", "ls-files", *FOLDERS], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    # The links of `evenkeel/` to the floors are folders in the wheel.
    expected = {
        name if name.startswith("evenkeel/") else f"evenkeel/{name}"
        for name in listed
        if not (ROOT / name).is_symlink()
    }

    names = {
        name
        for name in _contents(wheel)
        if not name.startswith(f"evenkeel-{PROJECT['version']}.dist-info/")
    }

    assert (names - expected, expected - names) == (set(), set())


def test_the_wheel_tells_its_licence_its_types_and_its_version(wheel):
    contents = _contents(wheel)

    assert (
        contents[f"evenkeel-{PROJECT['version']}.dist-info/licenses/LICENSE"]
        == (ROOT / "LICENSE").read_bytes()
    )
    assert contents["evenkeel/py.typed"] == b""
    assert f"\n## {PROJECT['version']}" in (ROOT / "CHANGELOG.md").read_text()


def test_the_wheel_has_one_top_level_name(wheel):
    tops = {name.partition("/")[0] for name in _contents(wheel)}

    assert tops == {"evenkeel", f"evenkeel-{PROJECT['version']}.dist-info"}


# -- environments --


class Environment:
    """A new environment with the wheel, one of its extras, and what they require of the packages
    that are installed here.

    Its commands are those of a container: their user can write the folder `volume` alone, and has
    no home.
    """

    def __init__(self, root: Path, wheel: Path, extra: str | None):
        self.folder, self.volume = root / (extra or "base"), root / f"{extra or 'base'}-volume"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", self.folder], check=True)
        (packages,) = self.folder.glob("lib/*/site-packages")
        for one in _required([Requirement(f"evenkeel[{extra}]" if extra else "evenkeel")]):
            _link(one, packages)
        # pip finds every requirement installed, or fails: it may ask no index.
        wanted = f"{wheel}[{extra}]" if extra else str(wheel)
        pip = [
            sys.executable,
            "-m",
            "pip",
            "--disable-pip-version-check",
            "--python",
            str(self.folder / "bin/python"),
            "install",
        ]
        done = subprocess.run(
            [*pip, "--quiet", "--no-index", "--no-compile", wanted], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        self.volume.mkdir()
        if NOBODY:
            os.chown(self.volume, NOBODY, NOBODY)

    def begun(self, *arguments: str, program: str = "evenkeel") -> subprocess.Popen:
        """Begin a command."""
        kept = {
            name: os.environ[name] for name in ("PATH", "JAVA_HOME", "LANG") if name in os.environ
        }
        return subprocess.Popen(
            [*(_AS_NOBODY.split() if NOBODY else ()), self.folder / "bin" / program, *arguments],
            cwd=self.folder,
            env=kept | {"HOME": "/nonexistent", "EVENKEEL_LAKE": str(self.volume / "lake")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(
        self, *arguments: str, text: str = "", program: str = "evenkeel"
    ) -> tuple[int, str, str]:
        """Run a command; return its code, and what it has written to both streams."""
        with self.begun(*arguments, program=program) as process:
            out, errors = process.communicate(text, 280)
        return process.returncode, out, errors

    def run_each(self, commands: Iterable[str]) -> tuple[list[list[str]], list[str]]:
        """Run commands in one process; return the lines that each has written, its code at the end,
        and the lines of all errors.
        """
        code, out, errors = self.run("-c", _EACH, text="\n".join(commands), program="python")
        assert code == 0, errors
        return [part.splitlines() for part in out.split("\0")[:-1]], errors.splitlines()


NOBODY = 65534 if os.geteuid() == 0 else None
"""Who runs the commands, as the user of the Containerfile would; only root can become another user.
"""

# May read what root alone may, where the tests' own Python lies, and write nothing that is not its
# own.
_AS_NOBODY = """
setpriv --reuid 65534 --regid 65534 --clear-groups
--inh-caps=-all,+dac_read_search --ambient-caps=+dac_read_search
--bounding-set=-all,+dac_read_search
"""

_EACH = """
import sys
from evenkeel.__main__ import main
for line in sys.stdin:
    sys.argv[1:] = line.split()
    print(main(), end="\\0")
"""


def _required(wanted: Iterable[Requirement]) -> Iterator[Distribution]:
    """Return the installed packages that requirements need here, each once; `evenkeel` is known by
    pyproject.toml alone.
    """
    todo, done = [(one, "") for one in wanted], set()
    while todo:
        requirement, extra = todo.pop()
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            continue
        for each in ("", *requirement.extras):
            if (name := canonicalize_name(requirement.name), each) in done:
                continue
            done.add((name, each))
            if name == "evenkeel":
                todo += [
                    (Requirement(line), each)
                    for line in (EXTRAS[each] if each else PROJECT["dependencies"])
                ]
                continue
            found = distribution(name)
            todo += [(Requirement(line), each) for line in found.requires or ()]
            if not each:
                yield found


def _link(one: Distribution, packages: Path) -> None:
    """Put an installed package into an environment, each of its folders as a whole, or what is in
    it where others bring parts too.
    """
    for top in _tops(one):
        (packages / top).parent.mkdir(exist_ok=True)
        (packages / top).symlink_to(one.locate_file(top))


def _tops(one: Distribution) -> set[Path]:
    shared = "google"
    parts = (file.parts[: 2 if file.parts[0] == shared else 1] for file in one.files)
    return {Path(*names) for names in parts if names[0] not in ("..", "__pycache__")}


@pytest.fixture(scope="session")
def installed(wheel):
    """The environment of an extra, or of none, made when it is first asked for."""
    # Not below pytest's own folder: another user cannot enter it.
    with tempfile.TemporaryDirectory(prefix="evenkeel-installed-") as root:
        Path(root).chmod(0o755)
        yield cache(lambda extra=None: Environment(Path(root), wheel, extra))


# -- what each promises --


def test_without_an_extra_listings_and_documents_are_answered(installed):
    base = installed()
    code, document, errors = base.run("snapshot", "-", text=LISTING)
    assert (code, json.loads(document)["group_id"], errors) == (0, "payments", "")

    code, answer, errors = base.run(
        "assign", "--jsonl", text=f'{{"assignor": "range", "group": {document.strip()}}}'
    )
    assert (code, json.loads(answer)["assignment"], errors) == (
        0,
        {"pay-a-0f3c": {"orders": [0]}, "pay-b-7ac2": {"orders": [1]}},
        "",
    )

    (base.folder / "listing.txt").write_text(LISTING)
    (base.folder / "scenario.json").write_text(
        f'{{"format": "evenkeel.scenario/1", "group": {document}, "steps": []}}'
    )
    answers, errors = base.run_each(
        ["compare listing.txt", "replay scenario.json --assignor range"]
    )
    assert errors == []
    (table, lines) = answers
    assert (table[2], table[-1]) == ("payments · members 2 · topics 1 · partitions 2", "0")
    assert [json.loads(line).get("assignor") for line in lines[:-1]] == [None, "range"]


def test_what_is_installed_beside_the_base_is_not_loaded(tmp_path):
    (tmp_path / "listing.txt").write_text(LISTING)
    code = _EACH + "print(*{name.partition('.')[0] for name in sys.modules})"
    commands = "compare listing.txt\nsnapshot listing.txt"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        input=commands,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stdout.split("\0")[-1].split())

    beside = {
        Requirement(line).name
        for extra in EXTRAS
        if extra not in ("all", "test")
        for line in EXTRAS[extra]
    } - {"evenkeel"}
    # pyarrow loads pandas where it is installed.
    assert (
        loaded & {top.stem for name in beside for top in _tops(distribution(name))} - {"pandas"}
        == set()
    )
    assert {"evenkeel", "numpy", "pyarrow"} <= loaded


NOT_IMPORTED = (
    "evenkeel/dashboard/app.py",
    "evenkeel/dashboard/*/page.py",
    "evenkeel/data/shares/migrations/env.py",
)
"""Scripts: Streamlit runs the pages and what is above them, Alembic runs its own."""

_IMPORT = """
import os, sys
folder, *modules = sys.stdin.read().split()
os.chdir(folder)
import importlib
for module in modules:
    try:
        importlib.import_module(module)
    except BaseException as error:
        print(f"{module}: {type(error).__name__}: {error}")
print(len(modules), importlib.import_module("evenkeel").__file__)
"""


@pytest.mark.parametrize("options", [["-P"], []], ids=["safe path", "this folder first"])
def test_every_module_is_imported_in_a_folder_whose_files_have_the_names_of_the_floors(
    installed, wheel, options
):
    everything = installed("all")
    folder = everything.folder / "foreign"
    folder.mkdir(exist_ok=True)
    for floor in FOLDERS[:-1]:
        (folder / f"{floor}.py").write_text(f"raise ImportError('the foreign {floor}.py')")
    files = [name for name in _contents(wheel) if name.endswith(".py")]
    scripts = {pattern: fnmatch.filter(files, pattern) for pattern in NOT_IMPORTED}
    left_out = {file for some in scripts.values() for file in some}
    modules = [
        file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        for file in files
        if file not in left_out
    ]

    code, out, errors = everything.run(
        *options, "-c", _IMPORT, text=" ".join([str(folder), *modules]), program="python"
    )

    *failed, last = out.splitlines()
    assert [pattern for pattern, some in scripts.items() if not some] == []
    assert len(modules) > 600
    assert (code, failed) == (0, []), errors
    assert last.startswith(f"{len(modules)} {everything.folder}")


LACKS = {
    "groups --cluster production": "needs confluent-kafka, expected: pip install 'evenkeel[live]'",
    "compare --cluster production --group a": (
        "needs confluent-kafka, expected: pip install 'evenkeel[live]'"
    ),
    "collect --cluster production": (
        "needs httpx2, confluent-kafka, kafka-python and 3 more, expected: pip install"
        " 'evenkeel[live,spark]'"
    ),
    "ingest listing.txt": "needs pyspark, pandas and tqdm, expected: pip install 'evenkeel[spark]'",
    "replay --group payments": "needs pyspark, expected: pip install 'evenkeel[spark]'",
    "history --group payments --lake s3://bucket/lake": (
        "needs obstore, expected: pip install 'evenkeel[lake]'"
    ),
    "tidy --out s3://bucket/lake": "needs obstore, expected: pip install 'evenkeel[lake]'",
    "serve": (
        "needs streamlit, pandas, plotly and 6 more, expected: pip install 'evenkeel[dashboard]'"
    ),
}


def test_a_command_whose_extra_is_missing_says_in_one_line_how_to_install_it(installed):
    codes, errors = installed().run_each(LACKS)

    assert errors == [f"evenkeel {command.split()[0]}: {said}" for command, said in LACKS.items()]
    assert codes == [["2"]] * len(LACKS)


def test_with_live_a_cluster_is_read(installed, broker):
    live = installed("live")
    named = {"here": broker.bootstrap(), "nowhere": "127.0.0.1:1"}
    (live.folder / "evenkeel.toml").write_text(
        "".join(f'[clusters.{name}]\n"bootstrap.servers" = "{at}"\n' for name, at in named.items())
    )

    (here, nowhere), errors = live.run_each(
        ["groups --cluster here --json", "groups --cluster nowhere"]
    )

    assert (here[-1], nowhere) == ("0", ["2"])
    *perhaps_none, refusal = errors
    assert refusal.startswith("evenkeel groups: cluster nowhere: no connection: ")
    assert all(
        line.startswith("evenkeel groups: cluster here: no group is visible")
        for line in perhaps_none
    ), errors


def test_with_spark_a_listing_becomes_a_batch_that_the_extra_lake_reads(installed):
    spark, lake = installed("spark"), installed("lake")
    (spark.folder / "listing.txt").write_text(LISTING)

    code, out, errors = spark.run(
        "ingest", "listing.txt", "--taken-at", "2026-11-20T08:00:00Z", "--json"
    )
    assert (code, json.loads(out.splitlines()[-1])) == (
        0,
        {"lines": 3, "rows": 2, "notes": 1, "rejected": 0},
    ), errors

    code, out, errors = lake.run(
        "history", "--group", "payments", "--lake", str(spark.volume / "lake"), "--json"
    )
    assert (code, json.loads(out)["group_id"]) == (0, "payments"), errors


def test_with_dashboard_pages_open_and_the_server_ends_when_it_is_told_to(installed):
    pages, port = installed("dashboard"), free_port()
    (pages.folder / "evenkeel.toml").write_text(
        '[clusters.here]\n"bootstrap.servers" = "127.0.0.1:1"\n'
    )
    address = f"http://127.0.0.1:{port}"

    with pages.begun(
        *_in_container("serve")[1:], "--address", "127.0.0.1", "--port", str(port)
    ) as server:
        try:
            _, *check = (part.replace("8501", str(port)) for part in _in_container("healthz"))
            until(
                lambda: server.poll() is not None or pages.run(*check, program="python")[0] == 0,
                pause=1,
            )
            session = awaited(_opened(address, "compare", "sample=one-hot-partition"))
            with pytest.raises(PageError) as refused:
                awaited(_opened(address, "groups", "cluster=here"))
            with urlopen(address) as answer:
                policy = answer.headers["Content-Security-Policy"]
        finally:
            server.terminate()
            _, log = server.communicate(timeout=500)

    said = str(refused.value).replace("\\", "")
    assert (
        said
        == "needs httpx2, confluent-kafka and kafka-python, expected: pip install 'evenkeel[live]'"
    )
    assert "payments" in session.text()
    assert "frame-ancestors 'none'" in policy
    assert "Traceback" not in log, log


def _in_container(word: str) -> list[str]:
    """Return the command of the Containerfile that has this word."""
    (command,) = re.findall(
        rf"^ *CMD (\[.*{word}.*\])$", (ROOT / "Containerfile").read_text(), re.MULTILINE
    )
    return json.loads(command)


async def _opened(address: str, page: str, query: str) -> Session:
    async with Session(address, page, query) as session:
        await session.run()
    return session
