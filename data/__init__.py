"""The data floor: it reads groups from sources into arrays for the assignors, and writes the
answers.
"""

import sys
from collections.abc import Callable
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from threading import get_ident
from types import ModuleType
from typing import Any

# pyarrow imports pandas when it makes its first array, even if nothing needs pandas. That import
# takes 0.15 s and 40 MB: a fifth of the time of a command on three lines, and a third of the memory
# of the process that reads pastes. This code delays the import until other code imports pandas.


class _After(MetaPathFinder):
    """Calls a function with a package after its import."""

    def __init__(self, name: str, react: Callable[[ModuleType], None]):
        self._name, self._react = name, react

    def find_spec(
        self, name: str, path: Any, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of the package, None for every other name."""
        if name != self._name:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(name)
        if spec and spec.loader:
            spec.loader = _Loader(spec.loader, self._react)
        return spec


class _Loader(Loader):
    def __init__(self, loader: Loader, react: Callable[[ModuleType], None]):
        self._loader, self._react = loader, react

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        self._react(module)


class _Hidden(MetaPathFinder):
    """Hides pandas from one thread; other threads can still import pandas."""

    def __init__(self):
        self._thread = get_ident()

    def find_spec(
        self, name: str, path: Any, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Refuse pandas."""
        if name == "pandas" and get_ident() == self._thread:
            raise ImportError(name)
        return None


def _hide(pyarrow: ModuleType) -> None:
    """Let pyarrow search for pandas while pandas is hidden. If pandas itself imports pyarrow, do
    nothing.
    """
    if "pandas" in sys.modules:
        return
    hidden = _Hidden()
    sys.meta_path.insert(0, hidden)
    try:
        pyarrow.array([0])
    finally:
        sys.meta_path.remove(hidden)
    # pyarrow searches again when its attribute `_pandas_api.pd` is read.
    sys.meta_path.insert(0, _After("pandas", lambda _: pyarrow.lib._pandas_api.pd))


# No effect if pandas or pyarrow is already imported.
if not {"pandas", "pyarrow"} & set(sys.modules):
    sys.meta_path.insert(0, _After("pyarrow", _hide))
