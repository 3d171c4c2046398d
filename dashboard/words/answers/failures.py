"""Why a row has no answer, in words."""

from assignors import ASSIGNORS
from assignors.errors import REQUEST_ERROR, AssignorError, NotKnownError


def in_words(error: AssignorError) -> str:
    """Return what Kafka throws, or why and from which release of it on its answers are known here."""
    if isinstance(error, NotKnownError):
        reason = f": {error.reason}" if error.reason else ""
        return f"no answer for Kafka {error.release}{reason}; answers are known from {error.since} on"
    return message(error) if error.java_class == REQUEST_ERROR else f"{error.java_class}: {message(error)}"


def message(error: AssignorError) -> str:
    """Return what is said of the error, without the assignor's name, which stands beside it."""
    name, _, rest = str(error).partition(": ")
    return rest if name in ASSIGNORS else str(error)
