"""Which room may import which, and which packages it may use. What is not named is refused."""

import ast
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FLOORS = ("assignors", "data", "dashboard", "evenkeel")
"""From the ground up: a floor imports itself and the floors below it. The last names what the
others have, for people who import it.
"""

MAY_IMPORT = {
    "assignors.arrays": "",
    "assignors.assignment": "",
    "assignors.trace": "",
    "assignors.java": "arrays",
    "assignors.group": "java arrays trace assignment",
    "assignors.protocol": "group assignment",
    "assignors.kafka": "protocol group java arrays trace assignment",
    "assignors.clients": "kafka protocol group java arrays trace assignment",
    "assignors.drain": "group assignment",
    "assignors.edits": "group java assignment",
    "assignors.history": "drain protocol group assignment",
    "assignors.figures": "protocol group edits assignment",
    "assignors.readiness": "clients",
    "assignors.rounds": "drain edits protocol group java arrays assignment",
    "assignors.best": "figures group arrays trace assignment",
    "assignors.explain": "best rounds figures edits clients kafka protocol group java arrays assignment",
    "assignors.weighted": "protocol group assignment",
    "assignors": "clients weighted kafka best",
    "data.errors": "",
    "data.clock": "",
    "data.words": "document",
    "data.tally": "",
    "data.audit": "configuration clock errors",
    "data.extras": "words errors",
    "data.document": "errors",
    "data.budget": "document errors",
    "data.configuration": "budget lake clock errors",
    "data.tables": "document words errors",
    "data.sources": "tables document words errors",
    "data.columns": "budget tables document errors",
    "data.lake": "tables clock errors",
    "data.live": "weights sources columns lake tables document configuration words tally clock extras errors",
    "data.weights": "columns document clock errors",
    "data.rebalances": "scenarios live lake columns sources tables document words extras errors",
    "data.plugin": "columns configuration errors",
    "data.scenarios": "sources columns lake budget tables document words clock errors",
    "data.shares": "rebalances scenarios sources columns lake configuration document words tally clock errors",
    "data.pipeline": "rebalances scenarios live lake columns sources tables document configuration words tally clock extras errors",
    "data.commands": "weights rebalances audit shares scenarios budget plugin pipeline live lake columns sources tables document configuration words clock extras errors",
    "data": "",
    "dashboard.theme": "",
    "dashboard.view": "",
    "dashboard.scripts": "",
    "dashboard.shell": "",
    "dashboard.words": "view",
    "dashboard.loading": "view words",
    "dashboard.tables": "view words",
    "dashboard.charts": "theme words",
    "dashboard.widgets": "shell charts reports tables loading words view theme scripts",
    "dashboard.reports": "tables words theme scripts",
    "dashboard.app_pages": "widgets loading charts words",
    "dashboard.server": "shell widgets loading words theme view scripts",
    "dashboard.app": "server",
    "dashboard": "",
}
"""Rooms of the same floor. A floor's own line is about its `__init__.py`."""

KAFKA = {
    "release": "",
    "range": "release",
    "round_robin": "release",
    "lag_based": "release",
    "sticky": "release",
    "consumer": "release",
    "share": "share_dealing consumer release",
    "share_dealing": "",
    "streams": "",
}
"""Rooms of `assignors/kafka`."""

WIDGETS = {
    "parts": "",
    "steps": "parts",
    "opening": "parts",
    "scope": "opening parts",
    "start": "scope opening parts",
    "groups": "scope opening parts",
    "history": "scope opening parts",
    "compare": "scope opening parts",
    "moves": "scope opening parts",
    "shares": "steps opening parts",
    "edits": "steps scope opening parts",
    "streams": "shares steps opening parts",
    "readiness": "shares steps scope opening parts",
}
"""Rooms of `dashboard/groups`: no page's room imports another's."""

USED_ONLY_IN = {
    "pyspark": "data.pipeline",
    "py4j": "data.pipeline",
    "highspy": "assignors.best.exact",
    "kafka": "data.live",
    "confluent_kafka": "data.live",
    "aiokafka": "",
    "streamlit": "dashboard.app dashboard.server dashboard.theme dashboard.app_pages dashboard.loading dashboard.widgets",
    "plotly": "dashboard evenkeel",
    "sqlalchemy": "data.shares",
    "alembic": "data.shares.database data.shares.migrations",
    "prometheus_client": "dashboard.server",
    "starlette": "dashboard.server",
    # Spark's own folder of scratch files is no lake: it lies in the folder for temporary files and
    # is locked like one.
    "fcntl": "data.lake data.pipeline.session",
}
"""Package -> rooms or modules."""

CALLED_ONLY_IN = {
    # Beside the lake: folders of Spark, of jars, of Java and of Streamlit's fonts, and those that a
    # person names as input.
    "glob rglob iterdir scandir listdir": "data.lake data.pipeline.session data.plugin data.configuration.java data.sources.inputs dashboard.reports.pages",
    "rename": "data.lake data.pipeline.session data.plugin.assignor",
    "cache_data cache_resource": "dashboard.loading",
    "session_state": "dashboard.widgets",
}
"""Methods and functions -> rooms or modules: only `data/lake` knows which files a lake has, and how
one appears whole.
"""


def _imports(tree: ast.AST, modules: set[str]) -> set[str]:
    """Return what a file imports, inside functions too; `from package import name` counts as the
    module `package.name` if there is one.

    Our own modules are named as their files are, without the package: `evenkeel.data.errors` is
    `data.errors`.
    """
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert not node.level, (
                f"from {'.' * node.level}{node.module or ''} import …: expected the whole name of the module"
            )
            package = _named_as_its_file(node.module)
            found |= {
                full if (full := _without_package(f"{package}.{name.name}")) in modules else package
                for name in node.names
            }
        elif isinstance(node, ast.Import):
            found |= {_named_as_its_file(name.name) for name in node.names}
    return found


def _named_as_its_file(module: str) -> str:
    assert floor(module) not in FLOORS[:-1], (
        f"import {module}: expected evenkeel.{module}, an installed package has no other name"
    )
    return _without_package(module)


def _without_package(module: str) -> str:
    """Return the name of a module of the floors; the package's own modules lie in `evenkeel/`."""
    package, _, rest = module.partition(".")
    return rest if package == FLOORS[-1] and floor(rest) in FLOORS[:-1] else module


def _calls(tree: ast.AST) -> set[str]:
    """Return the names of what a file calls or decorates with, without what stands before
    the dot.
    """
    return {
        node.attr if isinstance(node, ast.Attribute) else node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute | ast.Name)
    }


def _name(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def floor(module: str) -> str:
    return module.partition(".")[0]


def room(module: str) -> str:
    return ".".join(module.split(".")[:2])


def is_in(module: str, places: str) -> bool:
    return any(module == place or module.startswith(f"{place}.") for place in places.split())


FILES = {_name(file): file for floor in FLOORS for file in sorted((ROOT / floor).rglob("*.py"))}
PACKAGES = sorted({module.rpartition(".")[0] for module in FILES} - {""})


@pytest.fixture(scope="module")
def trees():
    """What each file says, by module: read by the process that runs these tests, not by all that
    collect them.
    """
    return {module: ast.parse(file.read_text()) for module, file in FILES.items()}


@pytest.fixture(scope="module")
def imports(trees):
    """What each module imports."""
    return {module: _imports(tree, set(trees)) for module, tree in trees.items()}


@pytest.fixture(scope="module")
def ours(imports):
    """What each module imports of the floors."""
    return {
        module: {other for other in others if floor(other) in FLOORS}
        for module, others in imports.items()
    }


@pytest.mark.parametrize("name", MAY_IMPORT)
def test_a_room_imports_only_the_rooms_it_may(ours, name):
    allowed = {name, *(f"{floor(name)}.{other}" for other in MAY_IMPORT[name].split())}

    assert [
        (module, other)
        for module in ours
        if room(module) == name
        for other in sorted(ours[module])
        if floor(other) == floor(name) and room(other) not in allowed
    ] == []


@pytest.mark.parametrize(
    "name",
    sorted(
        {room(module) for module in FILES if floor(module) in {floor(name) for name in MAY_IMPORT}}
    ),
)
def test_every_room_has_its_line(name):
    assert name in MAY_IMPORT


@pytest.mark.parametrize(
    ("folder", "name", "others"),
    [
        (folder, name, others)
        for folder, rooms in (("assignors.kafka", KAFKA), ("dashboard.widgets", WIDGETS))
        for name, others in rooms.items()
    ],
)
def test_a_room_inside_a_folder_imports_only_those_it_may(ours, folder, name, others):
    allowed = {name, *others.split()}

    assert [
        (module, other)
        for module in ours
        if is_in(module, f"{folder}.{name}")
        for other in sorted(ours[module])
        if is_in(other, folder) and entry(folder, other) not in allowed
    ] == []


@pytest.mark.parametrize(
    "page", [module for module in FILES if is_in(module, "dashboard.app_pages")]
)
def test_a_page_is_a_short_script_without_functions(trees, page):
    assert [
        node.lineno
        for node in ast.walk(trees[page])
        if isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef)
    ] == []
    assert (
        len(
            (ROOT / f"{page.replace('.', '/')}.py").read_text().splitlines()
            if page.count(".") > 1
            else []
        )
        <= 60
    )


@pytest.mark.parametrize("name", FLOORS)
def test_a_floor_imports_no_floor_above_it(ours, name):
    above = FLOORS[FLOORS.index(name) + 1 :]

    assert [
        (module, other)
        for module in ours
        if floor(module) == name
        for other in ours[module]
        if floor(other) in above
    ] == []


@pytest.mark.parametrize("package", USED_ONLY_IN)
def test_a_package_is_imported_only_in_its_room(imports, package):
    assert [
        module
        for module, others in imports.items()
        if package in map(floor, others) and not is_in(module, USED_ONLY_IN[package])
    ] == []


DEPLOYED = {
    "evenkeel_assignors": "",
    "evenkeel_assignors.rule": "",
    "evenkeel_assignors.user_data": "",
    "evenkeel_assignors.reading": "kafka aiokafka",
    "evenkeel_assignors.leading": "",
    "evenkeel_assignors.kafka_python": "kafka",
    "evenkeel_assignors.aio_kafka": "aiokafka",
    "evenkeel_assignors.__main__": "kafka aiokafka",
}
"""What runs inside groups of others: the packages that each module may import beside its own and
the standard library.
"""


@pytest.mark.parametrize(
    "file",
    sorted((ROOT / "deploy/python/evenkeel_assignors").glob("*.py")),
    ids=lambda file: file.stem,
)
def test_what_runs_inside_groups_imports_no_floor_and_no_package_but_its_client(file):
    name = f"evenkeel_assignors.{file.stem}".removesuffix(".__init__")

    imported = {floor(other) for other in _imports(ast.parse(file.read_text()), set())}

    assert imported - sys.stdlib_module_names - {"evenkeel_assignors"} <= set(
        DEPLOYED[name].split()
    )


def test_no_floor_imports_what_runs_inside_groups(imports):
    assert [
        module
        for module, others in imports.items()
        if {"deploy", "evenkeel_assignors"} & set(map(floor, others))
    ] == []


def test_the_package_computes_nothing(imports):
    assert [
        module
        for module, others in imports.items()
        if floor(module) == "evenkeel" and "numpy" in map(floor, others)
    ] == []


def test_assignors_import_only_numpy_and_the_standard_library_and_in_one_module_a_solver(imports):
    found = {
        floor(other)
        for module, others in imports.items()
        if floor(module) == "assignors"
        for other in others
    }

    assert found - sys.stdlib_module_names - {"numpy", "assignors"} == {"highspy"}


@pytest.mark.parametrize("names", CALLED_ONLY_IN)
def test_a_function_is_called_only_in_its_room(trees, names):
    assert [
        module
        for module, tree in trees.items()
        if _calls(tree) & set(names.split()) and not is_in(module, CALLED_ONLY_IN[names])
    ] == []


def test_no_files_import_each_other_in_a_circle(ours):
    list(TopologicalSorter(ours).static_order())


@pytest.mark.parametrize("folder", PACKAGES)
def test_imports_between_the_entries_of_a_folder_go_one_way(ours, folder):
    entries = {}
    for module, others in ours.items():
        for other in others:
            if (mine := entry(folder, module)) != (its := entry(folder, other)) and mine and its:
                entries.setdefault(mine, set()).add(its)
    try:
        list(TopologicalSorter(entries).static_order())
    except CycleError as error:
        pytest.fail(f"{folder}: {' -> '.join(error.args[1])}")


def entry(folder: str, module: str) -> str | None:
    """Return which entry of the folder a module is or lies in; None outside, and for the folder's
    own list of names.
    """
    return module[len(folder) + 1 :].partition(".")[0] if module.startswith(f"{folder}.") else None


@pytest.mark.parametrize("folder", [folder for folder in PACKAGES if folder != "evenkeel"])
def test_every_folder_says_in_one_paragraph_what_it_is(trees, folder):
    assert folder in trees, "no __init__.py"
    assert len((ast.get_docstring(trees[folder]) or "").split("\n\n")) == 1
    assert ast.get_docstring(trees[folder])


@pytest.mark.parametrize(
    ("modules", "heavy"),
    [
        ("assignors, assignors.best", "pandas pyarrow scipy numba pyspark py4j highspy"),
        ("data, data.columns", "pyspark py4j confluent_kafka kafka aiokafka pandas"),
    ],
)
def test_a_floor_that_must_start_fast_loads_nothing_heavy_on_any_way(modules, heavy):
    loaded = subprocess.run(
        [sys.executable, "-c", f"import sys, {modules}; print(*sys.modules)"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout

    assert set(heavy.split()) & set(loaded.split()) == set()


def test_the_dashboard_has_no_file_or_folder_that_hides_a_floor_or_wakes_streamlits_old_navigation():
    assert [
        name
        for name in ("data", "assignors", "pages")
        if (ROOT / "dashboard" / name).exists() or (ROOT / "dashboard" / f"{name}.py").exists()
    ] == []
