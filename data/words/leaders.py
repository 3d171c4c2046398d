"""What it means that a group is led by another client than Java's."""


def led_by(client: str) -> str:
    """Return two sentences."""
    return (
        f"The group is led by {client}: a classic group is assigned by its leader, with that client's own code. "
        "The answers here are those of Kafka's Java client and may differ."
    )
