"""Which room may import which, and which packages it may use. What is not named is refused.

A rule is a function of a house that returns the breaches; each is proved by one planted breach.
"""

import ast
import builtins
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from importlib.util import find_spec

import pytest

from tests.house import (
    FLOORS,
    ROOT,
    SHARED,
    House,
    called_in,
    floor,
    forget,
    imports_in,
    is_in,
    is_top,
    nodes_in,
    today,
)

MAY_IMPORT = {
    "assignors.group": "java arrays trace assignment",
    "assignors.java": "arrays",
    "assignors.kafka": "protocol group java arrays trace assignment",
    "assignors.clients": "kafka protocol group java arrays trace assignment",
    "assignors.rounds": "protocol group java arrays assignment",
    "data.text": "",
    "data.group": "text errors",
    "data.lake": "group text threads clock errors",
    "data.configuration": "lake group text clock errors",
    "data.prometheus": "configuration lake group text threads clock errors",
    "data.sources": "group text errors",
    "data.scenarios": "sources lake group text clock errors",
    "data.live": "weights sources lake configuration group text tally clock extras errors",
    "data.pipeline": (
        "own_process warm_host live prometheus sources lake configuration group text tally clock"
        " extras errors"
    ),
    "data.commands": (
        "prometheus scenarios live sources lake configuration group text clock extras errors"
    ),
    "dashboard.shell": "view names times scripts",
    "dashboard.parts": "shell view names times scripts theme",
    "dashboard.scope": "parts shell view names times scripts theme",
    "dashboard.steps": "parts shell view names times scripts theme",
}
"""Rooms that every feature of their floor may import, and the rooms and modules of their floor that
they may import: no feature. A file that has the name of a feature belongs to the feature.
"""

ANYTHING = ("dashboard.server",)
"""Rooms on top: they may import what their floor's features show, and no feature imports them."""

MODULES = {
    "assignors": "clients protocol weighted kafka best",
    "assignors.arrays": "",
    "assignors.assignment": "",
    "assignors.protocol": "group assignment",
    "assignors.trace": "",
    "assignors.spreading": "assignment",
    "assignors.weighted": "spreading protocol group assignment",
    "data": "",
    "data.audit": "configuration clock errors",
    "data.clock": "",
    "data.errors": "",
    "data.extras": "text errors",
    "data.own_process": "group configuration errors",
    "data.tally": "",
    "data.threads": "",
    "data.warm_host": "own_process configuration errors",
    "data.weights": "group clock errors",
    "dashboard": "",
    "dashboard.app": "server",
    "dashboard.names": "view",
    "dashboard.scripts": "",
    "dashboard.theme": "",
    "dashboard.times": "",
    "dashboard.view": "",
}
"""Modules that lie in a floor's own folder, and what they may import of their floor."""

SHOWN_LIMIT = 15
MORE_SHOWN = {
    "assignors.compare": 24,
    "assignors.timeline": 18,
    "data.compare": 21,
    "data.shares": 21,
}
"""Features that show more names than the limit: the number may only shrink."""

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

USED_ONLY_IN = {
    "pyspark": "data.pipeline",
    "py4j": "data.pipeline",
    "highspy": "assignors.best.exact",
    "kafka": "data.live",
    "confluent_kafka": "data.live",
    "aiokafka": "",
    "streamlit": "dashboard",
    "plotly": "dashboard evenkeel",
    "sqlalchemy": "data.shares",
    "alembic": "data.shares.database data.shares.migrations",
    "prometheus_client": "dashboard.server",
    "httpx2": "data.prometheus",
    "starlette": "dashboard.server",
    # Spark's own folder of scratch files is no lake: it lies in the folder for temporary files and
    # is locked like one.
    "fcntl": "data.lake data.pipeline.session",
}
"""Package -> rooms or modules."""

WITHOUT_STREAMLIT = (
    "dashboard/names.py",
    "dashboard/scripts.py",
    "dashboard/times.py",
    "dashboard/view.py",
    "dashboard/*/figures.py",
    "dashboard/*/figures/*.py",
    "dashboard/*/tables.py",
    "dashboard/*/words.py",
    "dashboard/parts/*_words.py",
    "dashboard/shell/*_words.py",
    "dashboard/shares/reports/*.py",
    # Figures and rows with names of their own.
    "dashboard/best/frontier.py",
    "dashboard/best/plans.py",
    "dashboard/best/right_size.py",
    "dashboard/best/value_axis.py",
    "dashboard/compare/many_members.py",
    "dashboard/compare/member_bars.py",
    "dashboard/groups/columns.py",
    "dashboard/moves/holdings.py",
    "dashboard/moves/move_matrix.py",
    "dashboard/moves/tile_grid.py",
    "dashboard/moves/topic_heat_map.py",
    "dashboard/parts/frame.py",
    "dashboard/parts/labels.py",
    "dashboard/parts/loads.py",
    "dashboard/parts/move_tables.py",
    "dashboard/parts/remarks.py",
    "dashboard/parts/table_files.py",
    "dashboard/parts/task_tables.py",
    "dashboard/parts/text_width.py",
    "dashboard/parts/switch_words.py",
    "dashboard/streams/role_bars.py",
    "dashboard/streams/tiles.py",
    "dashboard/steps/refusals.py",
    "dashboard/steps/strips.py",
)
"""Figures, tables and words, by patterns of files: plain functions of numbers."""

LOADING = (
    "dashboard/*/loading.py",
    "dashboard/*/loading/*.py",
    "dashboard/shell/apart.py",
    "dashboard/shell/cache.py",
    "dashboard/shell/reader.py",
)
"""What loads for pages; only here are values kept, and no widget keeps its state here."""

PAGES = ("dashboard/*/page.py",)

CALLED_ONLY_IN = {
    # Beside the lake: folders of Spark, of jars, of Java and of Streamlit's fonts, and those that a
    # person names as input.
    "glob rglob iterdir scandir listdir": (
        "data/lake/*.py data/lake/*/*.py data/pipeline/session.py data/configuration/plugin/*.py "
        "data/configuration/java.py data/sources/inputs.py dashboard/shares/reports/pages.py"
    ),
    "rename": (
        "data/lake/*.py data/lake/*/*.py data/pipeline/session.py"
        " data/configuration/plugin/assignor.py"
    ),
    "cache_data cache_resource": " ".join(LOADING),
}
"""Methods and functions -> patterns of files: only `data/lake` knows which files a lake has, and
how one appears whole.
"""


# -- the rules --


def _breaches(house: House, name: str, allowed: set[str]) -> list[tuple[str, str]]:
    """Return what the modules of a room import of other rooms of their floor beside the allowed."""
    return [
        (module, other)
        for module in house.in_rooms[name]
        if not is_top(module)
        for other in sorted(house.ours[module])
        if floor(other) == floor(name)
        if house.room(other) not in allowed and not in_one_folder(module, other)
    ]


def into_rooms(house: House) -> list[tuple[str, str]]:
    """A shared room imports the rooms that it may, and a module of a floor's folder too."""
    return [
        breach
        for name, others in {**MAY_IMPORT, **MODULES}.items()
        for breach in _breaches(
            house, name, {name, *(f"{floor(name)}.{other}" for other in others.split())}
        )
    ]


def without_a_line(house: House) -> list[str]:
    """A room is a feature's or has its line, and so has a module of a floor's folder."""
    rooms = {house.room(module) for module in house.modules if floor(module) in SHARED}
    return sorted(rooms - {*MAY_IMPORT, *MODULES, *ANYTHING, *house.features})


def shown(house: House, feature: str) -> set[str]:
    """Return the modules that a feature shows."""
    found = [
        node.value
        for node in house.trees[feature].body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "SHOWN"
    ]
    return {f"{feature}.{name}" for node in found for name in ast.literal_eval(node)}


def _foreign(house: House, feature: str) -> Iterator[tuple[str, str, str]]:
    """Yield (module, its module, name): what other rooms take of a feature. The feature's own rooms
    on other floors are its own.
    """
    name = feature.partition(".")[2]
    for module, other, taken_name in house.taken[feature]:
        if house.room(module).partition(".")[2] != name:
            yield module, other, taken_name


def into_features(house: House) -> list[tuple[str, str]]:
    """Others import of a feature the modules that it shows."""
    return [
        (module, other)
        for feature in house.features
        for module, other, _ in _foreign(house, feature)
        if other not in shown(house, feature)
    ]


def shown_to_nobody(house: House) -> list[str]:
    """What a feature shows is taken by another room."""
    return [
        module
        for feature in house.features
        for module in shown(house, feature) - {other for _, other, _ in _foreign(house, feature)}
    ]


def shown_names(house: House) -> dict[str, int]:
    """Return how many names others take of each feature."""
    return {
        feature: len({(other, name) for _, other, name in _foreign(house, feature)})
        for feature in house.features
    }


def imported_tops(house: House) -> list[tuple[str, str]]:
    """Nothing imports a page or a command."""
    return [
        (module, other)
        for module, others in house.ours.items()
        for other in others
        if is_top(other)
    ]


def into_the_server(house: House) -> list[tuple[str, str]]:
    """Only `dashboard/app.py` imports a room that may import everything."""
    return [
        (module, other)
        for module, others in house.ours.items()
        for other in others
        if house.room(other) in ANYTHING and house.room(module) not in (*ANYTHING, "dashboard.app")
    ]


def onto_floors_above(house: House) -> list[tuple[str, str]]:
    """A floor imports no floor above it."""
    return [
        (module, other)
        for module, others in house.ours.items()
        for other in others
        if FLOORS.index(floor(other)) > FLOORS.index(floor(module))
    ]


def inside_kafka(house: House) -> list[tuple[str, str]]:
    """Rooms of `assignors/kafka` import those that they may."""
    return [
        (module, other)
        for module, others in house.ours.items()
        for other in others
        if (mine := entry(house, "assignors.kafka", module))
        and (its := entry(house, "assignors.kafka", other))
        and its not in {mine, *KAFKA[mine].split()}
    ]


def packages_elsewhere(house: House) -> list[tuple[str, str]]:
    """A package is imported only in its rooms."""
    return [
        (module, package)
        for module, others in house.imports.items()
        for package, places in USED_ONLY_IN.items()
        if package in map(floor, others) and not is_in(module, places)
    ]


def streamlit_in_plain_files(house: House) -> list[str]:
    """Figures, tables and words know no Streamlit."""
    plain = {path for pattern in WITHOUT_STREAMLIT for path in house.matching(pattern)}
    return [
        path
        for module, path in house.modules.items()
        if path in plain and "streamlit" in map(floor, house.imports[module])
    ]


def calls_elsewhere(house: House) -> list[tuple[str, str]]:
    """Some functions are called only in their files."""
    calls = {path: called_in(house.trees[module]) for module, path in house.modules.items()}
    return [
        (path, name)
        for names, patterns in CALLED_ONLY_IN.items()
        for path in calls.keys()
        - {one for each in patterns.split() for one in house.matching(each)}
        for name in calls[path] & set(names.split())
    ]


def state_where_it_is_not_kept(house: House) -> list[str]:
    """Pages, what loads and the server keep no state of widgets."""
    patterns = (*PAGES, *LOADING, "dashboard/server/*.py", *WITHOUT_STREAMLIT)
    paths = {path for pattern in patterns for path in house.matching(pattern)}
    return [
        path
        for module, path in house.modules.items()
        if path in paths and "session_state" in called_in(house.trees[module])
    ]


def long_pages(house: House) -> list[str]:
    """A page is a script of at most 60 lines without functions."""
    kinds = ast.FunctionDef | ast.Lambda | ast.ClassDef
    paths = [path for pattern in PAGES for path in house.matching(pattern)]
    return [
        path
        for module, path in house.modules.items()
        if path in paths
        if len(house.texts[path].splitlines()) > 60
        or any(isinstance(node, kinds) for node in nodes_in(house.trees[module]))
    ]


def circles(house: House) -> list[str]:
    """Imports between files, and between the entries of a folder, go one way."""
    found = [] if (round_trip := _circle(house.ours)) is None else [round_trip]
    folders = {module.rpartition(".")[0] for module in house.modules} - {""}
    for folder in sorted(folders):
        entries = defaultdict(set)
        for module, others in house.ours.items():
            mine = entry(house, folder, module)
            for other in others:
                its = entry(house, folder, other)
                if mine and its and mine != its and not in_one_folder(module, other, folder):
                    entries[mine].add(its)
        if circle := _circle(entries):
            found.append(f"{folder}: {circle}")
    return found


def in_one_folder(module: str, other: str, folder: str = "") -> bool:
    """Tell whether two modules are in one folder of their floor, or of a folder below it."""
    depth = 2 if not folder or folder in FLOORS else folder.count(".") + 2
    return not is_top(module) and module.split(".")[:depth] == other.split(".")[:depth]


def _circle(graph) -> str | None:
    try:
        list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        return " -> ".join(error.args[1])
    return None


def entry(house: House, folder: str, module: str) -> str | None:
    """Return which entry of the folder a module is or lies in; None outside, and for the folder's
    own list of names. What a person starts is an entry of its own.
    """
    if not module.startswith(f"{folder}."):
        return None
    if is_top(module):
        return module
    inside = house.room(module) if folder in FLOORS else module
    return inside[len(folder) + 1 :].partition(".")[0]


def folders_without_a_sentence(house: House) -> list[str]:
    """Each folder says in one paragraph what it is."""
    # A folder of one module and its files for the browser is a module.
    files = [path for path in house.texts if not path.endswith("/__init__.py")]
    folders = {path.rpartition("/")[0] for path in files} - {"evenkeel"}
    documents = {
        folder: ast.get_docstring(house.trees[name])
        for folder in folders
        if (name := folder.replace("/", ".")) in house.trees
    }
    return [
        folder
        for folder in sorted(folders)
        if not documents.get(folder) or "\n\n" in documents[folder]
    ]


PLANTED = {
    into_rooms: ("data/errors.py", "import evenkeel.data.clock\n"),
    without_a_line: ("data/utils.py", '"""What nobody wants."""\n'),
    into_features: (
        "data/compare/advice.py",
        "from evenkeel.data.rebalances.reading.packed import Packed\n",
    ),
    imported_tops: ("data/best/answer.py", "import evenkeel.data.best.command\n"),
    into_the_server: ("dashboard/best/plan.py", "import evenkeel.dashboard.server.login\n"),
    onto_floors_above: ("assignors/arrays.py", "import evenkeel.data.errors\n"),
    inside_kafka: ("assignors/kafka/range.py", "import evenkeel.assignors.kafka.share\n"),
    packages_elsewhere: ("data/errors.py", "import pyspark\n"),
    streamlit_in_plain_files: ("dashboard/best/words.py", "import streamlit as st\n"),
    calls_elsewhere: ("data/errors.py", "def files(folder):\n    return folder.rglob('*')\n"),
    state_where_it_is_not_kept: ("dashboard/best/page.py", "st.session_state.clear()\n"),
    long_pages: ("dashboard/best/page.py", "def helper():\n    pass\n"),
    circles: ("data/errors.py", "import evenkeel.data.extras\n"),
    folders_without_a_sentence: ("data/group/__init__.py", None),
}


@pytest.fixture(scope="module")
def house():
    """The files of the floors, read by the process that runs these tests alone."""
    yield today()
    forget()


@pytest.mark.parametrize("rule", [*PLANTED, shown_to_nobody], ids=lambda rule: rule.__name__)
def test_the_house_keeps_a_rule(house, rule):
    assert rule(house) == []


@pytest.mark.parametrize("rule", PLANTED, ids=lambda rule: rule.__name__)
def test_a_rule_sees_a_planted_breach(house, rule):
    path, lines = PLANTED[rule]
    if lines is None:
        planted = house.with_file(path, '"""One paragraph.\n\nAnother one."""\n')
    elif path in house.texts:
        planted = house.with_lines(path, lines)
    else:
        planted = house.with_file(path, lines)

    assert rule(planted) != []


def test_a_feature_that_shows_a_module_to_nobody_is_seen(house):
    path = "data/readiness/__init__.py"

    planted = house.with_lines(path, 'SHOWN = ("nobody",)\n')

    assert shown_to_nobody(planted) == ["data.readiness.nobody"]


def test_a_feature_shows_few_names(house):
    counts = {name: count for name, count in shown_names(house).items() if count > SHOWN_LIMIT}

    assert counts == MORE_SHOWN


@pytest.mark.parametrize(
    "pattern",
    [*WITHOUT_STREAMLIT, *LOADING, *PAGES, *" ".join(CALLED_ONLY_IN.values()).split()],
)
def test_every_pattern_has_a_file(house, pattern):
    assert house.matching(pattern) != []


@pytest.mark.parametrize("name", [*MAY_IMPORT, *MODULES, *ANYTHING])
def test_every_line_has_a_room(house, name):
    assert name in house.modules


@pytest.mark.parametrize(
    "name", [f"{above}.{name}" for above in SHARED for name in SHARED[above].split()]
)
def test_every_shared_room_is_there_and_has_its_line(house, name):
    assert name in house.modules
    assert name in {**MAY_IMPORT, **dict.fromkeys(ANYTHING)}


@pytest.mark.parametrize(
    "line", ["from data import errors", "import assignors", "from dashboard.best import words"]
)
def test_a_floor_without_its_package_is_refused(house, line):
    planted = house.with_lines("data/errors.py", f"{line}\n")

    with pytest.raises(AssertionError, match="the same module must not load twice"):
        planted.imports


def _without_package(texts: Iterable[str]) -> set[str]:
    """Return the floors that texts of Python import without their package. Only a file with a line
    that looks like it is parsed.
    """
    line = re.compile(rf"^\s*(from|import)\b.*(?<![.\w])({'|'.join(FLOORS[:-1])})\b", re.MULTILINE)
    modules = (
        [node.module or ""]
        if isinstance(node, ast.ImportFrom)
        else [alias.name for alias in node.names]
        for text in texts
        if line.search(text)
        for node in imports_in.__wrapped__(ast.parse(text))
    )
    return {module for names in modules for module in names if floor(module) in FLOORS[:-1]}


def test_tests_import_no_floor_without_its_package():
    files = [file for folder in ("tests", "deploy") for file in (ROOT / folder).rglob("*.py")]

    assert len(files) > 500
    assert _without_package(file.read_text() for file in files) == set()
    planted = (
        "def test():\n    import evenkeel.data.best, data.best\n    from dashboard import best\n"
    )
    assert _without_package([planted]) == {"data.best", "dashboard"}


# -- what runs inside groups --


DEPLOYED = {
    "evenkeel_assignors": "",
    "evenkeel_assignors.rule": "",
    "evenkeel_assignors.user_data": "",
    "evenkeel_assignors.reading": "",
    "evenkeel_assignors.kafka_lags": "kafka aiokafka",
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

    deployed = House({f"evenkeel_assignors/{file.name}": file.read_text()})
    imported = {floor(other) for others in deployed.imports.values() for other in others}

    assert imported - sys.stdlib_module_names - {"evenkeel_assignors"} <= set(
        DEPLOYED[name].split()
    )


def test_no_floor_imports_what_runs_inside_groups(house):
    assert [
        module
        for module, others in house.imports.items()
        if {"deploy", "evenkeel_assignors"} & set(map(floor, others))
    ] == []


def test_the_package_computes_nothing(house):
    assert [
        module
        for module, others in house.imports.items()
        if floor(module) == "evenkeel" and "numpy" in map(floor, others)
    ] == []


def test_assignors_import_only_numpy_and_the_standard_library_and_in_one_module_a_solver(house):
    imported = {
        floor(other)
        for module, others in house.imports.items()
        if floor(module) == "assignors"
        for other in others
    }

    assert imported - sys.stdlib_module_names - {"numpy", "assignors"} == {"highspy"}


@pytest.mark.parametrize(
    ("modules", "heavy"),
    [
        (
            "evenkeel.assignors, evenkeel.assignors.best",
            "pandas pyarrow scipy numba pyspark py4j highspy",
        ),
        (
            "evenkeel.data, evenkeel.data.group.columns",
            "pyspark py4j confluent_kafka kafka aiokafka pandas",
        ),
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


def test_the_dashboard_has_no_entry_that_hides_a_module():
    """Streamlit puts `dashboard/` first on the path: an entry would be found in place of a floor,
    of a module of Python or of a package; `pages` would wake its old navigation.
    """
    entries = {path.stem for path in (ROOT / "dashboard").iterdir()} - {"__init__", "__pycache__"}
    names = {name for name in entries if name.isidentifier()}
    taken = {*FLOORS, "pages", *sys.stdlib_module_names, *dir(builtins)}

    assert len(names) > 15
    assert names & taken == set()
    assert [name for name in names if find_spec(name)] == []
