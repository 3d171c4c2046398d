"""What holds everywhere in the code, file by file: names, docstrings, dataclasses of arrays, colours, chance."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FILES = sorted(file for floor in ("assignors", "data", "dashboard") for file in (ROOT / floor).rglob("*.py"))
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
"""Words that stand for one of Kafka's own: partition, topic, end offset, lag, assignment, move, rebalance, balance, warmup."""

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3}\b|rgba?\(")
_SEED = re.compile(r"\b(np\.random|random)\.(seed|random|rand|randint|choice|shuffle|permutation)\(")


def each_file(files=FILES):
    return pytest.mark.parametrize("file", files, ids=lambda file: str(file.relative_to(ROOT)))


def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text())


def public(module: ast.Module) -> list[ast.FunctionDef | ast.ClassDef]:
    """Return functions and classes that other files may use."""
    return [node for node in module.body if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_")]


@each_file()
def test_a_modules_name_says_what_is_in_it(file):
    assert file.stem not in VAGUE


@each_file()
def test_a_module_says_in_one_line_what_it_is(file):
    first, *rest = (ast.get_docstring(tree(file)) or "").split("\n")

    assert re.search(r"[.?:]$", first), f"{file.name} begins with {first!r}"
    assert not rest or rest[0] == ""


@each_file()
def test_what_other_files_may_use_says_what_it_does(file):
    assert [node.name for node in public(tree(file)) if not ast.get_docstring(node)] == []


@each_file()
def test_a_docstring_begins_with_one_line(file):
    documented = [node for node in ast.walk(tree(file)) if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node)]
    lines = {node.name: ast.get_docstring(node).split("\n") for node in documented}

    assert [name for name, (_, *rest) in lines.items() if rest and rest[0]] == []


@each_file()
def test_no_line_is_longer_than_140_characters(file):
    assert [line for line in file.read_text().splitlines() if len(line) > 140] == []


@each_file([file for file in FILES if file.is_relative_to(ROOT / "assignors")])
def test_a_dataclass_of_arrays_is_frozen_and_never_compared(file):
    """Comparing two would compare arrays, which has no one answer."""
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.ClassDef) and any(
            "np.ndarray" in ast.unparse(part) for part in node.body if isinstance(part, ast.AnnAssign)
        ):
            kinds = [ast.unparse(one) for one in node.decorator_list if "dataclass" in ast.unparse(one)]
            assert all("frozen=True" in kind and "eq=False" in kind for kind in kinds), node.name


@each_file()
def test_short_names_of_packages_are_the_known_ones(file):
    names = [
        alias.asname
        for node in ast.walk(tree(file))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
        if alias.asname
    ]

    assert [name for name in names if len(name) < 4 and name not in SHORT_NAMES] == []


@each_file()
def test_identifiers_use_kafkas_words(file):
    names = {node.id for node in ast.walk(tree(file)) if isinstance(node, ast.Name)} | {
        node.arg for node in ast.walk(tree(file)) if isinstance(node, ast.arg)
    }

    assert names & OTHER_WORDS == set()


@each_file([file for file in FILES if file.is_relative_to(ROOT / "dashboard") and file.name != "theme.py"])
def test_colours_have_their_meaning_in_theme_alone(file):
    texts = [node.value for node in ast.walk(tree(file)) if isinstance(node, ast.Constant) and isinstance(node.value, str)]

    assert [text for text in texts if _COLOUR.search(text)] == []


@each_file()
def test_chance_has_no_global_seed(file):
    assert not _SEED.search(file.read_text())


@each_file([file for file in FILES if file.is_relative_to(ROOT / "data/pipeline")])
def test_a_join_of_tables_says_how_and_is_no_right_join(file):
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "join" and len(node.args) > 1:
            how = [ast.unparse(one.value) for one in node.keywords if one.arg == "how"]
            assert how and "right" not in how[0]
