"""Settings of findings: which ones of which groups are not told."""

from datetime import date
from fnmatch import fnmatchcase

import msgspec

from evenkeel.assignors.diagnosis.finding import Code
from evenkeel.data import clock


class Ignored(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Findings that nobody wants to be told.

    Parameters
    ----------
    group : str
        Names of groups; `*` stands for any characters.
    code : Code
    until : date or None
        The last day on which it holds; None: for ever.
    """

    group: str
    code: Code
    until: date | None = None


class FindingSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table `[findings]`."""

    ignore: tuple[Ignored, ...] = ()

    def ignored_of(self, group: str | None) -> frozenset[Code]:
        """Return the codes that are not told of a group today."""
        today = clock.now().date()
        return frozenset(
            rule.code
            for rule in self.ignore
            if fnmatchcase(group or "", rule.group) and (rule.until is None or today <= rule.until)
        )
