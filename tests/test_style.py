"""What holds in every file of the code: names, docstrings, dataclasses of arrays, colours, chance.
Each test lists the places against it.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.house import forget, nodes_in

ROOT = Path(__file__).parent.parent
TEXTS = {
    str(file.relative_to(ROOT)): file.read_text()
    for floor in ("assignors", "data", "dashboard", "evenkeel", "deploy")
    for file in (ROOT / floor).rglob("*.py")
}

VAGUE = {"utils", "util", "helpers", "helper", "common", "misc", "core", "manager", "tools", "base"}
SHORT_NAMES = {"np", "pd", "st", "go", "F", "T", "pa", "pc", "pq", "ds", "fs"}
OTHER_WORDS = {
    "shard",
    "stream_name",
    "high_watermark",
    "backlog",
    "allocation",
    "migration",
    "reshuffle",
    "fairness",
    "warm_up",
    "acceptable_lag",
}
"""Words that stand for one of Kafka's own: partition, topic, end offset, lag, assignment, move,
rebalance, balance, warmup.
"""

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3}\b|rgba?\(")
_SEED = re.compile(
    r"\b(np\.random|random)\.(seed|random|rand|randint|choice|shuffle|permutation)\("
)


@cache
def trees() -> dict[str, ast.Module]:
    return {file: ast.parse(text) for file, text in TEXTS.items()}


@pytest.fixture(scope="module", autouse=True)
def trees_are_forgotten():
    """A million objects, which each search for garbage would walk for the rest of the process."""
    yield
    trees.cache_clear()
    forget()


def nodes(*kinds: type[ast.AST], under: str = "") -> Iterator[tuple[str, ast.AST]]:
    return nodes_of(
        {file: tree for file, tree in trees().items() if file.startswith(under)}, *kinds
    )


def nodes_of(trees: dict[str, ast.Module], *kinds: type[ast.AST]) -> Iterator[tuple[str, ast.AST]]:
    return (
        (file, node)
        for file, tree in trees.items()
        for node in nodes_in(tree)
        if isinstance(node, kinds)
    )


def first_paragraph(node: ast.AST) -> list[str]:
    return (ast.get_docstring(node) or "").split("\n\n")[0].split("\n")


def test_a_modules_name_says_what_is_in_it():
    assert [file for file in TEXTS if Path(file).stem in VAGUE] == []


def test_a_module_says_first_what_it_is():
    firsts = {file: first_paragraph(tree) for file, tree in trees().items()}

    assert [file for file, lines in firsts.items() if not lines[-1].endswith((".", "?", ":"))] == []


def test_what_other_files_may_use_says_what_it_does():
    public = [
        (file, node)
        for file, tree in trees().items()
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
    ]

    assert [(file, node.name) for file, node in public if not ast.get_docstring(node)] == []


def test_a_docstring_begins_with_one_short_paragraph():
    assert [
        (file, node.name)
        for file, node in nodes(ast.FunctionDef, ast.ClassDef)
        if len(first_paragraph(node)) > 3
    ] == []


def test_a_dataclass_of_arrays_is_frozen_and_never_compared():
    """Comparing two would compare arrays, which has no one answer."""
    of_arrays = [
        (file, node)
        for file, node in nodes(ast.ClassDef, under="assignors")
        if any(
            "np.ndarray" in ast.unparse(part.annotation)
            for part in node.body
            if isinstance(part, ast.AnnAssign)
        )
    ]
    kinds = [
        (file, node.name, ast.unparse(one))
        for file, node in of_arrays
        for one in node.decorator_list
    ]

    assert [
        kind
        for kind in kinds
        if "dataclass" in kind[2] and not ("frozen=True" in kind[2] and "eq=False" in kind[2])
    ] == []


def rerunning_fragments(trees: dict[str, ast.Module]) -> list[tuple[str, str]]:
    """Return the fragments with a timer that call `st.rerun` themselves."""
    made = {
        (file, ast.unparse(node.args[0]))
        for file, node in nodes_of(trees, ast.Call)
        if ast.unparse(node.func) == "st.fragment"
        and node.args
        and "run_every" in ast.unparse(node)
    }
    waiting = [
        (file, node)
        for file, node in nodes_of(trees, ast.FunctionDef)
        if any("run_every" in ast.unparse(decorator) for decorator in node.decorator_list)
        or (file, node.name) in made
    ]
    return [(file, node.name) for file, node in waiting if "st.rerun(" in ast.unparse(node)]


def test_a_fragment_that_waits_runs_the_page_by_draw_again_which_takes_no_step_from_a_click():
    assert (
        rerunning_fragments(
            {file: tree for file, tree in trees().items() if file.startswith("dashboard")}
        )
        == []
    )


@pytest.mark.parametrize(
    "code",
    [
        "@st.fragment(run_every=1)\ndef wait():\n    st.rerun()",
        "def wait():\n    st.rerun()\n\nst.fragment(wait, run_every=1)()",
        (
            "def show():\n    def wait():\n        if is_there():\n           "
            " st.rerun(scope='app')\n    st.fragment(wait, run_every=seconds)()"
        ),
    ],
)
def test_a_fragment_that_waits_and_reruns_is_seen(code):
    assert rerunning_fragments({"page.py": ast.parse(code)}) == [("page.py", "wait")]


def test_short_names_of_packages_are_the_known_ones():
    names = [
        (file, alias.asname)
        for file, node in nodes(ast.Import, ast.ImportFrom)
        for alias in node.names
        if alias.asname
    ]

    assert [(file, name) for file, name in names if len(name) < 4 and name not in SHORT_NAMES] == []


def test_identifiers_use_kafkas_words():
    names = {
        (file, getattr(node, "id", None) or getattr(node, "arg", None))
        for file, node in nodes(ast.Name, ast.arg)
    }

    assert [(file, name) for file, name in names if name in OTHER_WORDS] == []


def test_colours_have_their_meaning_in_theme_alone():
    texts = [
        (file, node.value)
        for file, node in nodes(ast.Constant, under="dashboard")
        if file != "dashboard/theme.py"
    ]

    assert [
        (file, text) for file, text in texts if isinstance(text, str) and _COLOUR.search(text)
    ] == []


def test_chance_has_no_global_seed():
    assert [file for file, text in TEXTS.items() if _SEED.search(text)] == []


def test_a_join_of_tables_says_how_and_is_no_right_join():
    joins = [
        (file, {one.arg: ast.unparse(one.value) for one in node.keywords})
        for file, node in nodes(ast.Call, under="data/pipeline")
        if isinstance(node.func, ast.Attribute) and node.func.attr == "join" and len(node.args) > 1
    ]

    assert [(file, said) for file, said in joins if "right" in said.get("how", "right")] == []
