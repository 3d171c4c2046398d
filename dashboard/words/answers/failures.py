"""Why a row has no answer, in words."""

from assignors import ASSIGNORS
from assignors.errors import REQUEST_ERROR, AssignorError, NotKnownError


def in_words(error: AssignorError) -> str:
    """Return what Kafka throws; if the answer of a release is unknown, why, and the first release with a known one."""
    if isinstance(error, NotKnownError):
        reason = f": {error.reason}" if error.reason else ""
        return f"no answer for Kafka {error.release}{reason}; answers are known from {error.since} on"
    return message(error) if error.java_class == REQUEST_ERROR else f"{error.java_class}: {message(error)}"


def message(error: AssignorError) -> str:
    """Return the text of the error without the assignor's name: the page shows the name beside it."""
    name, _, rest = str(error).partition(": ")
    return rest if name in ASSIGNORS else str(error)
