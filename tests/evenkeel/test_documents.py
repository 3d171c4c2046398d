"""The reference names every public name and its blocks run; docstrings and the notebook show what
is true.
"""

import contextlib
import doctest
import io
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import evenkeel
import evenkeel.groups
import evenkeel.reading
import evenkeel.results
from evenkeel.data.scenarios.application_edits import APPLICATION_EDITS
from evenkeel.data.scenarios.edits import EDITS
from tests.evenkeel import notebooks

ROOT = Path(__file__).parents[2]
REFERENCE = (ROOT / "docs/library.md").read_text()
NOTEBOOKS = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))
BLOCKS = re.findall(
    r"^```python\n(.*?)^```\n(?:```text\n(.*?)^```\n)?", REFERENCE, re.MULTILINE | re.DOTALL
)


def public(made):
    return [name for name in vars(made) if not name.startswith("_") and name != "of_scenario"]


@pytest.mark.parametrize(
    "name",
    [
        *evenkeel.__all__,
        *EDITS,
        *APPLICATION_EDITS,
        *(
            name
            for made in (
                evenkeel.Group,
                evenkeel.Table,
                evenkeel.Answer,
                evenkeel.Rows,
                evenkeel.Reading,
            )
            for name in public(made)
        ),
    ],
)
def test_the_reference_names_what_is_public(name):
    assert re.search(
        rf"`[^`\n]*\b{name}\b[^`\n]*`|^.*evenkeel\.{name}\b", REFERENCE, re.MULTILINE
    ), name


def test_the_blocks_of_the_reference_run_in_their_order_and_print_what_stands_below(
    tmp_path, monkeypatch
):
    (listing,) = re.findall(
        r"^ *```\n( *GROUP .*?)^ *```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL
    )
    (tmp_path / "describe.txt").write_text(listing)
    shutil.copy(ROOT / "data/sources/examples/samples/kip-441.json", tmp_path / "streams.json")
    monkeypatch.chdir(tmp_path)
    namespace, printed = {}, []

    for code, _ in BLOCKS:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(code, namespace)
        printed.append(out.getvalue())

    assert printed == [text for _, text in BLOCKS]


@pytest.mark.parametrize(
    "module",
    [evenkeel.reading, evenkeel.groups, evenkeel.results],
    ids=lambda module: module.__name__,
)
def test_docstrings_show_what_is_true(module):
    found = doctest.testmod(module)

    assert (found.failed, found.attempted > 0) == (0, True)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_its_cells_give(path):
    # A process of its own: Streamlit, which other tests load, gives plotly its own template.
    code = f"from tests.evenkeel.notebooks import shown_in; print(shown_in({str(path)!r}))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    cells = notebooks.code_cells(json.loads(path.read_text()))

    assert run.stderr == ""
    for cell, found in zip(cells, json.loads(run.stdout), strict=True):
        assert cell["outputs"] == found
