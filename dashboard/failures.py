"""Why a row has no answer, in words."""

from assignors.errors import AssignorError, NotKnownError


def in_words(error: AssignorError) -> str:
    """Return what Kafka throws, or from which release of it on its answers are known here."""
    return f"Evenkeel answers like Kafka from {error.since} on" if isinstance(error, NotKnownError) else f"{error.java_class}: {error}"
