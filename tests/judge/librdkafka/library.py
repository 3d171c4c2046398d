"""librdkafka's source, from the package registry into a cache folder, and the programs that are
built with it; nothing of it is in this project.
"""

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

CRATE = "rdkafka-sys"
CRATE_VERSION = "4.10.0+2.12.1"
"""A crate that carries librdkafka's source; behind the plus stands librdkafka's release."""

_PROGRAM = Path(__file__).with_name("leader.c")
_TOOLS = ("cargo", "gcc", "make", "ar")
_WITHOUT = (
    "ssl",
    "gssapi",
    "curl",
    "zlib",
    "zstd",
    "lz4-ext",
    "sasl",
    "optimization",
    "debug-symbols",
)
"""What the answers do not need; with the last two the build takes three times as long."""
_LIBRARIES = ("-lm", "-ldl", "-lpthread", "-lrt")
_CHECKED = ("rdkafka_sticky_assignor", "rdlist", "rdmap")
"""What reads freed memory, if anything does: built once more with the address sanitizer."""
_TIME_LIMIT_SECONDS = 1200


def missing_tools() -> list[str]:
    """Return the programs that the build needs and this machine does not have."""
    return [tool for tool in _TOOLS if not shutil.which(tool)]


@cache
def leader(is_checked: bool = False) -> Path:
    """Return the program `leader.c`, built the first time.

    Parameters
    ----------
    is_checked : bool
        Whether a read of freed memory ends it with exit code 77; much slower.
    """
    folder = _library()
    program = (
        folder / f"leader{'-checked' if is_checked else ''}-"
        f"{hashlib.sha256(_PROGRAM.read_bytes()).hexdigest()[:16]}"
    )
    if not program.exists():
        _build(folder, program, is_checked)
    return program


def _build(folder: Path, program: Path, is_checked: bool):
    objects, options = [], ["-g", "-w", f"-I{folder}/src"]
    with tempfile.TemporaryDirectory(dir=folder) as unfinished:
        if is_checked:
            options.append("-fsanitize=address")
            for name in _CHECKED:
                objects.append(Path(unfinished, f"{name}.o"))
                _run(
                    ["gcc", "-O1", *options, "-c", "-o", objects[-1], folder / "src" / f"{name}.c"]
                )
        _run(
            [
                "gcc",
                "-O2",
                *options,
                "-o",
                Path(unfinished, "leader"),
                _PROGRAM,
                *objects,
                folder / "src" / "librdkafka.a",
                *_LIBRARIES,
            ]
        )
        os.replace(Path(unfinished, "leader"), program)


def _library() -> Path:
    """Return the folder of the source, built."""
    folder = _cache() / f"librdkafka-{CRATE_VERSION}"
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".") as unfinished:
            source = Path(unfinished, "librdkafka")
            shutil.copytree(_fetched(Path(unfinished)), source)
            _run(["./configure", *(f"--disable-{each}" for each in _WITHOUT)], source)
            _run(["make", "-C", "src", f"-j{os.cpu_count()}", "librdkafka.a"], source)
            _publish(source, folder)
    return folder


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "evenkeel-tests"


def _fetched(folder: Path) -> Path:
    """Return where cargo has put the source."""
    needs = (
        '[package]\nname = "judge"\nversion = "0.0.0"\n[lib]\npath ='
        f' "none.rs"\n[dependencies]\n{CRATE} = "={CRATE_VERSION}"\n'
    )
    Path(folder, "Cargo.toml").write_text(needs)
    Path(folder, "none.rs").touch()
    packages = json.loads(_run(["cargo", "metadata", "--format-version", "1"], folder))["packages"]
    return next(
        Path(each["manifest_path"]).with_name("librdkafka")
        for each in packages
        if each["name"] == CRATE
    )


def _publish(finished: Path, folder: Path):
    try:
        finished.rename(folder)
    except OSError:
        if not folder.is_dir():  # another process was faster: its copy is as good
            raise


def _run(command: Sequence[str | Path], folder: Path | None = None) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=_TIME_LIMIT_SECONDS,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {done.stderr[-2000:]}")
    return done.stdout
