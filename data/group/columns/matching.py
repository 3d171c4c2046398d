"""Subscriptions by regular expression, matched as in a KIP-848 broker.

Memory and work are limited.
"""

from collections.abc import Iterator, Sequence
from itertools import compress

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.budget import MOST_MATCHING, matching_work

MOST_EXPRESSION = 4_096
"""Characters. RE2 needs up to 60 MB for such an expression. Kafka's protocol allows eight times as
many characters, which need up to 360 MB.
"""

_MOST_MEMORY = 2 * 2**20
"""Bytes of a compiled expression with its automaton: about 80,000 instructions. No list of topics
needs more.
"""

_MOST_SHOWN = 60
"""Characters of an expression in a message."""


def with_matches(
    named: Sequence[Sequence[str]], expressions: Sequence[str | None], topics: Sequence[str]
) -> Iterator[Sequence[str]]:
    """Yield each member's topics without repeats: the named topics, and topics that match.

    A topic matches if its full name matches the member's RE2 expression.

    Raises
    ------
    SnapshotError
        If an RE2 expression is invalid or too costly; the message has its path.
    """
    matched: dict[str, list[str]] = {}
    work, topic_length = 0, sum(map(len, topics))
    for place, (own, expression) in enumerate(zip(named, expressions, strict=True)):
        if expression is None:
            yield own
            continue
        if expression not in matched:
            path = f"members[{place}].subscribed_regex"
            _require_short(expression, path)
            work += matching_work(len(expression), topic_length)
            if work > MOST_MATCHING:
                raise SnapshotError(
                    f"{path}: matching {len(matched) + 1:,} expressions with {len(topics):,} topics"
                    f" takes the work of {work:,} partitions, expected at most {MOST_MATCHING:,}"
                )
            matched[expression] = _matching(expression, topics, path)
        yield list(dict.fromkeys([*own, *matched[expression]]))


def _require_short(expression: str, path: str) -> None:
    if len(expression) > MOST_EXPRESSION:
        raise SnapshotError(
            f"{path}: found an RE2 expression of {len(expression):,} characters, expected at most"
            f" {MOST_EXPRESSION:,}"
        )


def _matching(expression: str, topics: Sequence[str], path: str) -> list[str]:
    import re2  # imported here, because few groups have an expression

    options = re2.Options()
    # Otherwise RE2 writes the error to standard error.
    options.log_errors = False
    # RE2's memory grows with the square of the number of capturing groups: 16,000 need 3.6 GB.
    options.never_capture = True
    options.max_mem = _MOST_MEMORY
    try:
        pattern = re2.compile(expression, options)
        return list(compress(topics, map(pattern.fullmatch, topics)))
    except (re2.error, UnicodeError) as error:
        reason = (
            error.args[0].decode(errors="replace")
            if error.args and isinstance(error.args[0], bytes)
            else str(error)
        )
        shown = (
            repr(expression) if len(expression) <= _MOST_SHOWN else f"{expression[:_MOST_SHOWN]!r}…"
        )
        raise SnapshotError(
            f"{path}: found {shown}, expected an RE2 expression: {reason}"
        ) from None
    finally:
        # Otherwise the library caches the last 128 expressions with their automatons.
        re2.purge()
