"""A copy of the tree: a test adds files and lines to it, runs it in processes of its own, and
counts the files of the source that it had to touch.
"""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from shutil import copy2, copytree

from tests.house import FLOORS, ROOT, House


class CopiedTree:
    """The floors as files and the tests as a link. Compiled modules are copied too: a process then
    compiles only what was added.
    """

    def __init__(self, root: Path):
        self.root = root
        for name in FLOORS:
            copytree(ROOT / name, root / name, symlinks=True)
        for name in ("tests", ".streamlit"):
            (root / name).symlink_to(ROOT / name)

    @contextmanager
    def adding(
        self, files: Mapping[str, str], lines: Mapping[str, tuple[tuple[str, str], ...]]
    ) -> Iterator["CopiedTree"]:
        """Hold more while the block runs.

        `files`: new files by path. `lines`: by the path of a file, each text that stands once in
        it, and what follows it then.
        """
        try:
            for path, text in files.items():
                self._write(self.root / path, text.lstrip("\n"))
            for path, places in lines.items():
                for above, more in places:
                    self._insert(self.root / path, above, more)
            yield self
        finally:
            for path in files:
                (self.root / path).unlink(missing_ok=True)
            for path in lines:
                copy2(ROOT / path, self.root / path)

    @staticmethod
    def _write(file: Path, text: str) -> None:
        assert not file.exists(), file
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)

    @staticmethod
    def _insert(file: Path, above: str, more: str) -> None:
        text = file.read_text()
        assert text.count(above) == 1, (file, above)
        file.write_text(text.replace(above, above + more))

    @property
    def more_lines(self) -> dict[str, int]:
        """Files that differ from those of the tree, and how many lines each has more."""
        texts = self._texts()
        return {
            path: len(texts[path].splitlines()) - len(text.splitlines())
            for path, text in _texts_below(ROOT).items()
            if texts[path] != text
        }

    @property
    def added(self) -> set[str]:
        """Files that the tree does not have."""
        return self._texts().keys() - _texts_below(ROOT).keys()

    @property
    def house(self) -> House:
        """The copy as the rules of the floors read it."""
        return House(
            {path: text.decode() for path, text in self._texts().items() if path.endswith(".py")}
        )

    def run(self, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
        """Run Python in the copy, with what it has."""
        environment = os.environ | {
            "PYTHONPATH": str(self.root),
            "EVENKEEL_LAKE": str(self.root / "lake"),
        }
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.root,
            env=environment,
            input=text,
            capture_output=True,
            text=True,
            timeout=300,
        )

    def _texts(self) -> dict[str, bytes]:
        return _texts_below(self.root)


def _texts_below(root: Path) -> dict[str, bytes]:
    """Return every file of the floors; links are not followed."""
    return {
        str(file.relative_to(root)): file.read_bytes()
        for name in FLOORS
        for file in (root / name).rglob("*")
        if file.is_file() and not file.is_symlink() and "__pycache__" not in file.parts
    }
