"""Optional packages (extras). An error names a missing package and the command to install it.

with required("live", "spark"):
    from evenkeel.data.pipeline.collect import collect
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache

from evenkeel.data.errors import SnapshotError
from evenkeel.data.text.formats import listed

_NAMED_OTHERWISE = {"kafka": "kafka-python", "py4j": "pyspark"}
"""Imported modules whose package has a different name, apart from underscores."""

_REQUIREMENT = re.compile(r"([\w.-]+).*;\s*extra == [\"']([\w-]+)[\"']")
_WHOLE = ("all", "test")
"""Extras that include other extras."""


class MissingExtraError(SnapshotError):
    """Packages are missing; the message has the command that installs them."""

    def __init__(self, packages: Sequence[str], extras: Sequence[str]):
        super().__init__(packages, extras)
        self.packages, self.extras = packages, extras

    def __str__(self) -> str:
        return (
            f"needs {listed(self.packages)}, expected: pip install"
            f" 'evenkeel[{','.join(self.extras)}]'"
        )


@contextmanager
def required(*extras: str) -> Iterator[None]:
    """Check that the packages of these extras are installed.

    If an import inside the block fails, the error names the extra. `required` is also a decorator.

    Raises
    ------
    MissingExtraError
        If a package of an extra is not installed.
    """
    missing = (
        [
            (package, extra)
            for package, extra in _packages()
            if extra in extras and not _is_installed(package)
        ]
        if extras
        else []
    )
    if missing:
        raise MissingExtraError(
            [package for package, _ in missing], list(dict.fromkeys(extra for _, extra in missing))
        )
    try:
        yield
    except ModuleNotFoundError as error:
        raise refusal_of(error) or error from None


def refusal_of(error: Exception) -> MissingExtraError | None:
    """Return a `MissingExtraError` if a package of an extra was missing; None for other errors."""
    name = (
        error.name.partition(".")[0]
        if isinstance(error, ModuleNotFoundError) and error.name
        else ""
    )
    package = _NAMED_OTHERWISE.get(name, name.replace("_", "-"))
    extras = [extra for brought, extra in _packages() if brought == package] if name else []
    return MissingExtraError([package], extras[:1]) if extras else None


@cache
def _packages() -> tuple[tuple[str, str], ...]:
    """Return (package, extra) for each package of each extra, in the order of pyproject.toml."""
    # Imported here because it takes 20 ms, and most commands do not need it.
    from importlib.metadata import PackageNotFoundError, requires

    with suppress(PackageNotFoundError):
        requirements = (_REQUIREMENT.match(line) for line in requires("evenkeel") or ())
        return tuple(
            (requirement[1], requirement[2])
            for requirement in requirements
            if requirement and requirement[1] != "evenkeel" and requirement[2] not in _WHOLE
        )
    return ()


def _is_installed(package: str) -> bool:
    from importlib.metadata import PackageNotFoundError, distribution

    with suppress(PackageNotFoundError):
        return bool(distribution(package))
    return False
