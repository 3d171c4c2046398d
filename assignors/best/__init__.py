"""The best assignment under an objective and limits, what bounds it, what each move buys, and the
right number of members.
"""

from evenkeel.assignors.best.answer import Beside, Best, counterpart
from evenkeel.assignors.best.bounds import Bound
from evenkeel.assignors.best.frontier import Frontier, Point, frontier
from evenkeel.assignors.best.problem import NEVER, Problem, Progress, Stop, Value
from evenkeel.assignors.best.request import (
    OBJECTIVES,
    UNKNOWN_RATE,
    Infeasible,
    Rates,
    Request,
    RequestError,
    thousandths,
)
from evenkeel.assignors.best.right_size import RightSize, Size, right_size
from evenkeel.assignors.best.search import best

__all__ = [
    "NEVER",
    "OBJECTIVES",
    "UNKNOWN_RATE",
    "Best",
    "Beside",
    "Bound",
    "Frontier",
    "Infeasible",
    "Point",
    "Problem",
    "Progress",
    "Rates",
    "Request",
    "RequestError",
    "RightSize",
    "Size",
    "Stop",
    "Value",
    "best",
    "counterpart",
    "frontier",
    "right_size",
    "thousandths",
]
