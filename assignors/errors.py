"""AssignorError: an input on which Kafka's own class throws."""


class AssignorError(ValueError):
    """Carries the simple name of the exception that the Kafka class would throw, such as `ArithmeticException`."""

    def __init__(self, java_class: str, message: str):
        super().__init__(message)
        self.java_class = java_class


class NotKnownError(AssignorError):
    """A Kafka release whose answer is not known here, `since` which it is; Kafka itself would answer."""

    def __init__(self, message: str, since: str):
        super().__init__("RequestError", message)
        self.since = since
