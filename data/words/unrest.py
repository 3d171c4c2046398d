"""Why a group never comes to rest."""

_REFUSES = "a member refuses its assignment in every round and rejoins"
_REPEATS = "members give partitions up in every round and rejoin, and the rounds repeat"


def why_endless(is_refused: bool) -> str:
    """Return half a sentence; `is_refused`: members refuse what they are assigned."""
    return _REFUSES if is_refused else _REPEATS
