"""What a replay of other assignors shows, in a sentence."""

from evenkeel.assignors.history.replay import CLEAR, Regret
from evenkeel.data.words.formats import compact, percent

LIMIT = (
    "The peaks of the worst member's lag are compared; an assignor is better if its peak is "
    f"more than {percent(CLEAR)} lower.<br>"
    "Each assignor was asked at these readings, each time with its own answer before as what members own.<br>"
    "The lags are those that the group really had: what another assignor would have made of them is unknown."
)
"""Markup."""


def finding(regret: Regret, is_stalled: bool) -> str:
    """Return how much lower the best assignor's peak would have been; `is_stalled`: a partition stalled at the peak as it was."""
    if regret.best is None:
        return "no assignor has an answer at every reading"
    if regret.candidate is None:
        return "no assignor would have been clearly better"
    if is_stalled:
        # The lag of one that stands still follows it to any owner.
        return "a stalled member stalls under any assignor"
    spared = float(regret.peaks[0] - regret.peaks[regret.candidate])
    return f"{regret.names[regret.candidate]} would have spared the worst member {compact(spared)}"
