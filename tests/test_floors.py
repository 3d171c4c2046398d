"""Imports look down only: assignors <- data <- dashboard."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SPARK = {"pyspark", "py4j"}
KAFKA_CLIENTS = {"confluent_kafka", "kafka", "aiokafka"}
PAGES = {"dashboard", "streamlit", "plotly"}


def imported(file: Path) -> set[str]:
    """Return the top-level packages that a file imports, inside functions too."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(file.relative_to(ROOT).parts[0] if node.level else node.module.partition(".")[0])
    return found


def files(floor: str) -> list[Path]:
    return sorted((ROOT / floor).rglob("*.py"))


def places(floor: str):
    return pytest.mark.parametrize("file", files(floor), ids=lambda file: str(file.relative_to(ROOT)))


@places("assignors")
def test_assignors_import_only_numpy_and_the_standard_library(file):
    assert imported(file) - sys.stdlib_module_names - {"numpy", "assignors"} == set()


@places("data")
def test_data_imports_nothing_of_the_dashboard(file):
    assert imported(file) & PAGES == set()


@places("dashboard")
def test_the_dashboard_imports_neither_spark_nor_a_kafka_client(file):
    assert imported(file) & (SPARK | KAFKA_CLIENTS) == set()


@places("dashboard")
def test_only_loading_caches(file):
    assert file.parent.name == "loading" or "st.cache_" not in file.read_text()


@pytest.mark.parametrize(
    ("modules", "heavy"),
    [("assignors", {"pandas", "pyarrow", "scipy", "numba", *SPARK}), ("data, data.columns", {*SPARK, *KAFKA_CLIENTS})],
)
def test_a_floor_that_must_start_fast_loads_nothing_heavy_on_any_way(modules, heavy):
    loaded = subprocess.run([sys.executable, "-c", f"import sys, {modules}; print(*sys.modules)"], cwd=ROOT, capture_output=True, text=True, check=True).stdout

    assert heavy & set(loaded.split()) == set()


def test_the_dashboard_has_no_file_or_folder_that_hides_a_floor_or_wakes_streamlits_old_navigation():
    assert [name for name in ("data", "assignors", "pages") if (ROOT / "dashboard" / name).exists() or (ROOT / "dashboard" / f"{name}.py").exists()] == []
