"""Short names of members."""

import re

_UUID_AT_END = re.compile(r"-([0-9a-fA-F]{4})[0-9a-fA-F]{4}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")


def without_uuid(name: str) -> str:
    """Cut the UUID at the end of a name to its first four characters."""
    return _UUID_AT_END.sub(r"-\1", name)
