"""Why a row has no answer, in words."""

from assignors.errors import AssignorError, NotKnownError


def in_words(error: AssignorError) -> str:
    """Return what Kafka throws, or that this release of it is not known here."""
    return f"not known for this release, known since {error.since}" if isinstance(error, NotKnownError) else f"{error.java_class}: {error}"
