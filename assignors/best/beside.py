"""Two aims side by side: where rates and lag want different plans, what each plan is worth under both.

    other = counterpart(request)
    both = None if other is None else Beside(best(group, request), best(group, other))
"""

from dataclasses import dataclass, replace
from fractions import Fraction

from evenkeel.assignors.best.answer import Best
from evenkeel.assignors.best.problem import NEVER, Value
from evenkeel.assignors.best.request import Rates, Request

_ALIKE, _SECOND = Fraction(1, 100), 1
"""A plan that is worse by less than this part, or drained less than a second later, is as good."""


def counterpart(request: Request, rates: Rates | None) -> Request | None:
    """Return the request with the same limits and the other aim: lag, or what rates say, a drain where capacities are known.

    None where the rates are unknown.
    """
    if rates is None:
        return None
    by_rates = "rate" if rates.capacity is None else "drain"
    return replace(request, objective=by_rates if request.objective == "lag" else "lag", rates=rates)


@dataclass(frozen=True, eq=False)
class Beside:
    """The best assignments of one group and the same limits for two aims."""

    mine: Best
    other: Best

    @property
    def mine_for_other(self) -> Value:
        """What the plan for the first aim is worth under the other one."""
        return self.other.problem.worst(self.mine.owner)[0]

    @property
    def other_for_mine(self) -> Value:
        """What the plan for the other aim is worth under the first one."""
        return self.mine.problem.worst(self.other.owner)[0]

    @property
    def disagree(self) -> bool:
        """Whether neither plan is as good for both aims."""
        return _is_worse(self.mine_for_other, self.other) and _is_worse(self.other_for_mine, self.mine)


def _is_worse(value: Value, best: Best) -> bool:
    least = _SECOND if best.problem.objective == "drain" else 0
    return not best.never and (value == NEVER or value > max(best.value * (1 + _ALIKE), best.value + least))
