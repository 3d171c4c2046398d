"""Effect: whether an answer leaves the worst member less lag than the current assignment."""

from enum import StrEnum

from evenkeel.assignors.figures.balance import Balance


class Effect(StrEnum):
    """`UNKNOWN` where unknown lags or unknown owners could change the verdict."""

    BETTER = "better"
    SAME = "same"
    WORSE = "worse"
    UNKNOWN = "unknown"


def effect(now: Balance | None, after: Balance | None) -> Effect:
    """Compare the lag of the worst members; a sum with unknown lags is a lower bound."""
    if now is None or after is None or now.max_lag is None or after.max_lag is None:
        return Effect.UNKNOWN
    if after.max_lag < now.max_lag:
        return Effect.UNKNOWN if after.lag_is_partial else Effect.BETTER
    if after.max_lag > now.max_lag:
        return Effect.UNKNOWN if now.lag_is_partial else Effect.WORSE
    return Effect.UNKNOWN if now.lag_is_partial or after.lag_is_partial else Effect.SAME
