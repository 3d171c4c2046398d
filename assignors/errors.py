"""AssignorError: an input on which Kafka's own class throws."""

from contextlib import AbstractContextManager
from types import TracebackType

REQUEST_ERROR = "RequestError"
"""Stands in the place of a Java class where Kafka throws nothing: it would never end, or what it answers is not known here."""


class AssignorError(ValueError):
    """Carries the simple name of the exception that the Kafka class would throw, such as `ArithmeticException`."""

    def __init__(self, java_class: str, message: str):
        super().__init__(message)
        self.java_class = java_class


class NotKnownError(AssignorError):
    """A Kafka release whose answer is not known here, `since` which it is; Kafka itself would answer. `reason`: what of the group it is that is not known."""

    def __init__(self, name: str, release: str, since: str, reason: str = ""):
        super().__init__(REQUEST_ERROR, f"{name}: {f'{reason}; ' if reason else ''}not known for Kafka {release}, known since {since}")
        self.release, self.since, self.reason = release, since, reason


class named(AbstractContextManager):
    """Put the assignor's name in front of what is raised inside: for code that several assignors share."""

    def __init__(self, name: str):
        self._name = name

    def __exit__(self, error_class: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        if isinstance(error, AssignorError) and not isinstance(error, NotKnownError):
            raise AssignorError(error.java_class, f"{self._name}: {error}") from error
