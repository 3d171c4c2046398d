"""Runs a notebook as Jupyter would, cell after cell in one namespace, and gives what each cell
shows.

`python -m tests.evenkeel.notebooks docs/notebooks/*.ipynb` writes what the cells show into the
files.
"""

import ast
import contextlib
import io
import json
import os
import sys
import warnings
from pathlib import Path


def code_cells(notebook: dict) -> list[dict]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def shown(notebook: dict) -> list[list[dict]]:
    """Return the outputs of each code cell in the form of nbformat 4: streams, and the last
    expression if it is not None.
    """
    namespace = {"__name__": "__main__"}
    return [
        _outputs("".join(cell["source"]), number, namespace)
        for number, cell in enumerate(code_cells(notebook), 1)
    ]


def _outputs(source: str, number: int, namespace: dict) -> list[dict]:
    tree, out, errors = ast.parse(source), io.StringIO(), io.StringIO()
    last = (
        ast.Expression(tree.body.pop().value)
        if tree.body and isinstance(tree.body[-1], ast.Expr)
        else None
    )
    with contextlib.redirect_stdout(out), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        exec(compile(tree, f"cell {number}", "exec"), namespace)
        value = eval(compile(last, f"cell {number}", "eval"), namespace) if last else None
    errors.writelines(f"{one.category.__name__}: {one.message}\n" for one in warned)
    streams = [
        {"output_type": "stream", "name": name, "text": text.getvalue().splitlines(True)}
        for name, text in (("stdout", out), ("stderr", errors))
        if text.getvalue()
    ]
    if value is None:
        return streams
    return [
        *streams,
        {
            "output_type": "execute_result",
            "execution_count": number,
            "metadata": {},
            "data": _data(value),
        },
    ]


def _data(value: object) -> dict:
    if hasattr(value, "to_plotly_json"):
        return {"application/vnd.plotly.v1+json": json.loads(value.to_json())}
    html = value._repr_html_() if hasattr(value, "_repr_html_") else None
    return {"text/plain": repr(value).splitlines(True)} | (
        {"text/html": html.splitlines(True)} if html else {}
    )


def shown_in(path: str) -> str:
    """Return what a file's cells show, run in the file's folder, as JSON."""
    os.chdir(Path(path).parent)
    return json.dumps(shown(json.loads(Path(path).read_text())))


def written(notebook: dict) -> dict:
    """Return the notebook with what its cells show now."""
    outputs = shown(notebook)
    for number, (cell, found) in enumerate(zip(code_cells(notebook), outputs, strict=True), 1):
        cell |= {"execution_count": number, "outputs": found}
    return notebook


if __name__ == "__main__":
    for path in (Path(name).resolve() for name in sys.argv[1:]):
        os.chdir(path.parent)
        path.write_text(
            json.dumps(written(json.loads(path.read_text())), indent=1, ensure_ascii=False) + "\n"
        )
