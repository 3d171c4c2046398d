"""Names inside texts: replaced, whatever stands around them; a text that cannot be cleaned gives way to neutral words."""

import json
import re
from collections.abc import Mapping

from evenkeel.data.shares.redaction.stand_ins import SHORTEST

_WORD = re.compile(r"\w{2}")


class Texts:
    """Replaces names in texts. `stand_in_of`: of every name that is redacted, also of a part of it that is as telling."""

    def __init__(self, stand_in_of: Mapping[str, str]):
        spelled = {spelling: stand_in for name, stand_in in stand_in_of.items() for spelling in _spellings(name)} | dict(stand_in_of)
        self._long = {name.casefold(): stand_in for name, stand_in in spelled.items() if len(name) >= SHORTEST}
        self._short = {name: stand_in for name, stand_in in spelled.items() if 0 < len(name) < SHORTEST}

    def holds(self, text: str) -> str | None:
        """Return a name that a text holds, the longest; None for one without. Short names do not count."""
        folded = text.casefold()
        return max((name for name in self._long if name in folded), key=len, default=None)

    def replaced(self, text: str, neutral: str) -> str:
        """Return a text without the names; `neutral` where nothing else is left, or a name would still be there."""
        folded = text.casefold()
        here = {name: stand_in for name, stand_in in self._long.items() if name in folded}
        here |= {name: stand_in for name, stand_in in self._short.items() if name in text}
        if not here:
            return text
        pattern = _pattern(here)
        after = pattern.sub(lambda found: here.get(found[0]) or here.get(found[0].casefold(), neutral), text)
        has_no_words = after != text and not _WORD.search(pattern.sub(" ", text))
        return neutral if has_no_words or self._is_still_readable(after, here) else after

    def _is_still_readable(self, after: str, here: Mapping[str, str]) -> bool:
        """Tell whether a name is left, also one that a stand-in and its neighbours spell by chance; stand-ins alone hold none."""
        blank = re.compile("|".join(sorted(map(re.escape, {*self._long.values(), *here.values()}), key=len, reverse=True))).sub("\n", after)
        folded, rest = after.casefold(), blank.casefold()
        return any(name in rest or (name in folded and name not in "\n".join(self._long.values())) for name in self._long)


def _pattern(names: Mapping[str, str]) -> re.Pattern:
    """The longest first; a short name counts only between signs that belong to no name."""
    return re.compile("|".join(map(_part, sorted(names, key=len, reverse=True))), re.IGNORECASE)


def _part(name: str) -> str:
    return re.escape(name) if len(name) >= SHORTEST else rf"(?-i:(?<!\w){re.escape(name)}(?!\w))"


def _spellings(name: str) -> set[str]:
    """How messages write a name: as JSON, as Python, as a regular expression; a host also without Java's slash."""
    return {json.dumps(name)[1:-1], repr(name)[1:-1], re.escape(name), name.removeprefix("/")}
