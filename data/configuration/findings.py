"""Settings of findings: ignored findings, and limits of rules over time."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated

import msgspec

from evenkeel.assignors.diagnosis.finding import Code
from evenkeel.assignors.episodes.settings import Settings
from evenkeel.data import clock
from evenkeel.data.configuration.conversion import Duration
from evenkeel.data.configuration.rights import matches

Slots = Annotated[int, msgspec.Meta(ge=1, le=1000, description="a whole number, 1 to 1000")]


class IgnoreRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Findings that messages and pages omit.

    Parameters
    ----------
    group : str
        A glob of the group's name, as in `[[rights]]`.
    code : Code
        The code of the finding.
    until : date or None
        The last day of the rule; None if the rule has no end.
    """

    group: str
    code: Code
    until: date | None = None


class FindingSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table `[findings]`.

    Parameters
    ----------
    forgotten : Duration
        Time after which a group without members is reported as `forgotten`, no longer as `down`.
    loses_within : Duration
        A predicted loss of records is reported only if it is less than this time away.
    resolve_after : int
        A finding ends after this number of consecutive slots without the problem.
    patience : dict
        Time from the start of a finding to its report, by code; the key is `for`.
    slo : dict
        Maximum time lag by group name or glob; the longest matching glob counts.
    """

    ignore: tuple[IgnoreRule, ...] = ()
    forgotten: Duration = Duration(hours=24)
    loses_within: Duration = Duration(hours=6)
    resolve_after: Slots = 3
    patience: dict[Code, Duration] = msgspec.field(name="for", default_factory=dict)
    slo: dict[str, Duration] = {}

    def of_group(self, group: str) -> Settings:
        """Return these settings for one group, with the group's maximum time lag."""
        return Settings(
            forgotten=self.forgotten.total_seconds(),
            loses_within=self.loses_within.total_seconds(),
            resolve_after=self.resolve_after,
            slo=self._objective(group),
            patience={code: time.total_seconds() for code, time in self.patience.items()},
        )

    def has_objective(self, group: str) -> bool:
        """Return whether `slo` has a maximum time lag for a group."""
        return self._objective(group) is not None

    def _objective(self, group: str) -> float | None:
        if group in self.slo:
            return self.slo[group].total_seconds()
        patterns = sorted((each for each in self.slo if matches((each,), group)), key=len)
        return self.slo[patterns[-1]].total_seconds() if patterns else None

    def ignored_of(self, group: str | None) -> frozenset[Code]:
        """Return the codes that are ignored today for a group."""
        return ignored_of(self.ignore, group)


def ignored_of(rules: Sequence[IgnoreRule], group: str | None) -> frozenset[Code]:
    """Return the codes of findings that `rules` ignore for a group today."""
    if not rules:
        return frozenset()
    today = clock.now().date()
    return frozenset(
        rule.code
        for rule in rules
        if matches((rule.group,), group or "") and (rule.until is None or today <= rule.until)
    )
