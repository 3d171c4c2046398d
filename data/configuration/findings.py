"""Settings of findings: which ones of which groups are not told."""

from datetime import date

import msgspec

from evenkeel.assignors.diagnosis.finding import Code
from evenkeel.data import clock
from evenkeel.data.configuration.rights import matches


class Ignored(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Findings that nobody wants to be told.

    Parameters
    ----------
    group : str
        A glob of the group's name, as in `[[rights]]`.
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
            if matches((rule.group,), group or "") and (rule.until is None or today <= rule.until)
        )
