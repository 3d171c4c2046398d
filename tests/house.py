"""The house as text: files of the floors, what they import, and which room each belongs to.

Rules are asked of a house, so that a test can plant a breach into a copy of it.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).parent.parent
FLOORS = ("assignors", "data", "dashboard", "evenkeel")
"""From the ground up: a floor imports itself and the floors below it. The last names what the
others have, for people who import it.
"""

SHARED = {
    "assignors": "group java kafka clients rounds",
    "data": "text group lake configuration prometheus sources scenarios live pipeline commands",
    "dashboard": "shell parts scope steps server",
}
"""Rooms that belong to no feature, by floor; every other folder of a floor is a feature's room."""


def floor(module: str) -> str:
    """Return the floor of a module."""
    return module.partition(".")[0]


def is_in(module: str, places: str) -> bool:
    """Tell whether a module is one of the places, or lies in one."""
    return f"{module}.".startswith(tuple(f"{place}." for place in places.split()))


def is_top(module: str) -> bool:
    """Tell whether a module is what a person starts: a command or a page. Nothing imports it."""
    return module.endswith(("command", ".page"))


@dataclass(frozen=True)
class House:
    """The files of the floors. `texts`: by path from the root, such as `data/errors.py`."""

    texts: Mapping[str, str]
    modules: Mapping[str, str] = field(init=False)

    def __post_init__(self):
        modules = {name_of(path): path for path in self.texts}
        object.__setattr__(self, "modules", modules)

    def __hash__(self):
        return id(self)

    def with_file(self, path: str, text: str) -> "House":
        """Return this house with one file added or replaced."""
        return House({**self.texts, path: text})

    def with_lines(self, path: str, lines: str) -> "House":
        """Return this house with lines at the end of a file."""
        return self.with_file(path, self.texts[path] + lines)

    def matching(self, pattern: str) -> list[str]:
        """Return the paths that a pattern has; `*` is within one folder."""
        parts = pattern.split("/")
        return [
            path
            for path in self.texts
            if path.count("/") == len(parts) - 1 and all(map(fnmatchcase, path.split("/"), parts))
        ]

    @cached_property
    def trees(self) -> dict[str, ast.Module]:
        """What each module says."""
        return {module: parsed(self.texts[path]) for module, path in self.modules.items()}

    @cached_property
    def imports(self) -> dict[str, set[str]]:
        """What each module imports, inside functions too: our own modules by the path of their
        file, `data.errors` for `evenkeel.data.errors`.
        """
        return {module: set(self._imported(tree)) for module, tree in self.trees.items()}

    @cached_property
    def ours(self) -> dict[str, set[str]]:
        """What each module imports of the floors."""
        return {
            module: {other for other in others if floor(other) in FLOORS}
            for module, others in self.imports.items()
        }

    @cached_property
    def names(self) -> dict[str, set[tuple[str, str]]]:
        """The names that each module takes of others: (module, name); a module is its own name."""
        return {module: set(self._taken(tree)) for module, tree in self.trees.items()}

    @cached_property
    def taken(self) -> dict[str, list[tuple[str, str, str]]]:
        """The names that modules take of each room: (module, module of the room, name)."""
        taken = defaultdict(list)
        for module, names in self.names.items():
            for other, name in names:
                taken[".".join(other.split(".")[:2])].append((module, other, name))
        return taken

    @cached_property
    def in_rooms(self) -> dict[str, list[str]]:
        """The modules of each room."""
        modules = defaultdict(list)
        for module in self.modules:
            modules[self.room(module)].append(module)
        return modules

    @cached_property
    def features(self) -> list[str]:
        """The rooms of features, such as `data.best`."""
        return [
            module
            for module, path in self.modules.items()
            if module.count(".") == 1
            and path.endswith("/__init__.py")
            and floor(module) in SHARED
            and not self.is_shared(module)
        ]

    def is_shared(self, module: str) -> bool:
        """Tell whether a room belongs to no feature."""
        above, _, name = module.partition(".")
        return name in SHARED[above].split()

    def room(self, module: str) -> str:
        """Return the room of a module. A file of a shared room that has the name of a feature
        belongs to the feature.
        """
        parts = module.split(".")
        own = f"{parts[0]}.{parts[-1]}"
        if len(parts) > 2 and own in self.features:
            return own
        return ".".join(parts[:2])

    def _imported(self, tree: ast.Module) -> Iterator[str]:
        for node in imports_in(tree):
            if isinstance(node, ast.Import):
                yield from (as_file(name.name) for name in node.names)
        yield from (module for module, _ in self._taken(tree))

    def _taken(self, tree: ast.Module) -> Iterator[tuple[str, str]]:
        for node in imports_in(tree):
            if isinstance(node, ast.ImportFrom):
                if node.level:
                    raise AssertionError(
                        f"from {'.' * node.level}{node.module or ''} import …: expected the whole"
                        " name of the module"
                    )
                for name in node.names:
                    full = as_file(f"{node.module}.{name.name}")
                    is_module = full in self.modules
                    yield (full if is_module else as_file(node.module)), name.name


@cache
def parsed(text: str) -> ast.Module:
    """Return what a file says; a house with one more file parses that file alone."""
    return ast.parse(text)


@cache
def nodes_in(tree: ast.Module) -> tuple[ast.AST, ...]:
    """Return the nodes of a file; many rules look at all of them."""
    return tuple(ast.walk(tree))


@cache
def imports_in(tree: ast.Module) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """Return the imports of a file, inside functions too."""
    return tuple(
        node for node in _statements(tree) if isinstance(node, ast.Import | ast.ImportFrom)
    )


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    for name in ("body", "orelse", "handlers", "finalbody", "cases"):
        for each in getattr(node, name, ()):
            yield each
            yield from _statements(each)


@cache
def called_in(tree: ast.Module) -> frozenset[str]:
    """Return the names that a file uses, without what stands before the dot."""
    return frozenset(
        node.attr if isinstance(node, ast.Attribute) else node.id
        for node in nodes_in(tree)
        if isinstance(node, ast.Attribute | ast.Name)
    )


def forget() -> None:
    """Forget the parsed files: a million objects, which each search for garbage would walk."""
    called_in.cache_clear()
    imports_in.cache_clear()
    nodes_in.cache_clear()
    parsed.cache_clear()


def name_of(path: str) -> str:
    """Return the module of a file."""
    return path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


@cache
def as_file(module: str) -> str:
    """Return a module's name as its file has it; a floor without its package is refused."""
    if floor(module) in FLOORS[:-1]:
        raise AssertionError(
            f"import {module}: expected evenkeel.{module}, the same module must not load twice"
        )
    package, _, rest = module.partition(".")
    return rest if package == FLOORS[-1] and floor(rest) in FLOORS[:-1] else module


def house_of(files: Iterable[Path]) -> House:
    """Return a house of files below the root."""
    return House({str(file.relative_to(ROOT)): file.read_text() for file in files})


def today() -> House:
    """Return the house as it stands; links are not followed."""
    return house_of(file for name in FLOORS for file in sorted((ROOT / name).rglob("*.py")))
