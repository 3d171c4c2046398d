"""Which room of this floor may import which: what is not named is refused."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FLOOR = ROOT / "assignors"
BASE = {"assignment", "errors"}
MAY_IMPORT = {
    "arrays": set(),
    "errors": set(),
    "assignment": set(),
    "java": {"arrays"},
    "group": {"java", "arrays"} | BASE,
    "protocol": {"group", "assignment"},
    "kafka": {"protocol", "group", "java", "arrays"} | BASE,
    "librdkafka": {"protocol", "group", "java", "arrays"} | BASE,
    "edits": {"group", "errors"},
    "figures": {"protocol", "group", "edits"} | BASE,
    "rounds": {"protocol", "group"} | BASE,
    "best": {"figures", "group"} | BASE,
    "explain": {"best", "rounds", "figures", "edits", "kafka", "librdkafka", "protocol", "group", "java", "arrays"} | BASE,
}
"""Of this floor. Rooms of assignors do not import each other, and nothing imports `explain`."""
REGISTRY = {"kafka", "librdkafka", "best"}


def modules():
    files = {".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file for file in sorted(FLOOR.rglob("*.py"))}
    return {name: imports(file, files) for name, file in files.items()}


def imports(file, files):
    """Return the modules of this floor that a file imports; `from package import name` counts as the module `package.name` where that is one."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom):
            found |= {full if (full := f"{node.module}.{name.name}") in files else node.module for name in node.names}
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
    return {name for name in found if name.partition(".")[0] == "assignors"}


MODULES = modules()


def room(module):
    return (module.split(".") + [""])[1]


@pytest.mark.parametrize("name", MAY_IMPORT)
def test_a_room_imports_only_rooms_below_it(name):
    found = {room(other) for module, others in MODULES.items() if room(module) == name for other in others}

    assert found - {name} <= MAY_IMPORT[name]


def test_every_room_has_its_line():
    assert {room(module) for module in MODULES} - {""} <= MAY_IMPORT.keys()


def test_the_registry_imports_only_assignors():
    assert {room(other) for other in MODULES["assignors"]} <= REGISTRY


def test_no_files_import_each_other_in_a_circle():
    list(TopologicalSorter(MODULES).static_order())


@pytest.mark.parametrize("folder", sorted({module.rpartition(".")[0] for module in MODULES} - {""}))
def test_imports_between_the_entries_of_a_folder_go_one_way(folder):
    entries = {}
    for module, others in MODULES.items():
        for other in others:
            if (mine := entry(folder, module)) != (its := entry(folder, other)) and mine and its:
                entries.setdefault(mine, set()).add(its)
    try:
        list(TopologicalSorter(entries).static_order())
    except CycleError as error:
        pytest.fail(f"{folder}: {' -> '.join(error.args[1])}")


def entry(folder, module):
    """Return which entry of the folder a module is or lies in; None outside, and for the folder's own list of names."""
    return module[len(folder) + 1 :].partition(".")[0] if module.startswith(f"{folder}.") else None
