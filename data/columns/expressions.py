"""Subscriptions by regular expression: the topics that match, as a KIP-848 broker finds them."""

from collections.abc import Iterator, Sequence

from evenkeel.data.errors import SnapshotError


def with_matches(named: Sequence[Sequence[str]], expressions: Sequence[str | None], topics: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield what each member subscribes to: the named topics, and those whose whole name matches its RE2 expression, each once.

    Raises
    ------
    SnapshotError
        For what is no RE2 expression, by its path in the group document.
    """
    found: dict[str, list[str]] = {}
    for place, (names, expression) in enumerate(zip(named, expressions, strict=True)):
        if expression is None:
            yield names
            continue
        if expression not in found:
            found[expression] = _matching(expression, topics, f"members[{place}].subscribed_regex")
        yield list(dict.fromkeys([*names, *found[expression]]))


def _matching(expression: str, topics: Sequence[str], path: str) -> list[str]:
    import re2  # late: few groups have an expression, and the others should not wait for it

    options = re2.Options()
    # RE2 itself would write the fault to standard error.
    options.log_errors = False
    try:
        pattern = re2.compile(expression, options)
    except (re2.error, UnicodeError) as error:
        reason = error.args[0].decode(errors="replace") if error.args and isinstance(error.args[0], bytes) else str(error)
        raise SnapshotError(f"{path}: found {expression!r}, expected an RE2 expression: {reason}") from None
    return [name for name in topics if pattern.fullmatch(name)]
