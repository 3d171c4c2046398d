"""Asks an assignor as `evenkeel assign --jsonl` does."""

import msgspec

from evenkeel.data.compare.assign_command import answer


def ask(assignor: str, group: dict, **settings) -> dict:
    """Return the answer for a group document."""
    return msgspec.to_builtins(
        answer(msgspec.json.encode({"assignor": assignor, "group": group, "settings": settings}))
    )
