"""Why a row has no answer, in words."""

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import REQUEST_ERROR, AssignorError, NoFunctionError, NotKnownError
from evenkeel.assignors.protocol import NOT_OFFERED

LEADER_CRASH, UNDEFINED = "LeaderCrash", "Undefined"
_WORDS = {
    LEADER_CRASH: "{}",
    UNDEFINED: "no answer exists: {}",
    NOT_OFFERED: "{}",
    REQUEST_ERROR: "{}",
}


def in_words(error: AssignorError) -> str:
    """Return what the leader throws; if the answer of a release is unknown, why, and the first release with a known one."""
    if isinstance(error, NotKnownError):
        reason = f": {error.reason}" if error.reason else ""
        return f"no answer for Kafka {error.release}{reason}; answers are known from {error.since} on"
    return _WORDS.get(error.java_class, f"{error.java_class}: {{}}").format(message(error))


def message(error: AssignorError) -> str:
    """Return the text of the error without the assignor's name: the page shows the name beside it."""
    name, _, rest = str(error).partition(": ")
    return rest if name in ASSIGNORS else str(error)


def is_deadly(error: AssignorError | None) -> bool:
    """Tell whether the leading process dies, on a usual build also where its code reads freed memory."""
    return error is not None and error.java_class in (LEADER_CRASH, UNDEFINED)


def is_gap(error: AssignorError | None) -> bool:
    """Tell whether the client has no such assignor, or one without a certain answer: nothing is wrong with the group."""
    return error is not None and (error.java_class == NOT_OFFERED or isinstance(error, NoFunctionError))
