"""AssignorError: an input on which Kafka's own class throws."""

REQUEST_ERROR = "RequestError"
"""Stands where Kafka throws no exception: its class never ends, its answer is unknown, or the request is refused."""


class AssignorError(ValueError):
    """Carries the simple name of the exception that the Kafka class would throw, such as `ArithmeticException`."""

    def __init__(self, java_class: str, message: str):
        super().__init__(message)
        self.java_class = java_class

    def __reduce__(self):
        return _remade, (type(self), self.args, self.__dict__)

    def named(self, name: str) -> "AssignorError":
        """Return the error with the assignor's name in front: for code that several assignors share."""
        return AssignorError(self.java_class, f"{name}: {self}")


def _remade(kind: type[AssignorError], args: tuple, facts: dict) -> AssignorError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(facts)
    return error


class NotKnownError(AssignorError):
    """The answer of this Kafka release is unknown, although Kafka itself has one.

    `since`: first release whose answer is known. `reason`: the property of the group that makes the answer unknown.
    """

    def __init__(self, name: str, release: str, since: str, reason: str = ""):
        super().__init__(REQUEST_ERROR, f"{name}: {f'{reason}; ' if reason else ''}unknown for Kafka {release}, known since {since}")
        self.release, self.since, self.reason = release, since, reason


class NoFunctionError(AssignorError):
    """Equal inputs give different answers, so no answer can be told. `why`: what decides it."""

    def __init__(self, name: str, client: str, why: str):
        super().__init__(REQUEST_ERROR, f"{name} of {client} is not a function of the inputs: {why}")
