"""HOST: among names with blanks, the one cell that can be recognised."""

import re

# The part behind % is the zone of a link-local IPv6 address.
_IP = r"/[0-9a-fA-F]*[.:][0-9a-fA-F.:]*(?:%\w+)?"
_ADDRESS, _NAMED_ADDRESS, _GLUED = (re.compile(f"{before}({_IP})") for before in ("", "[^/]+", "(.*)"))


def is_address(cell: str) -> bool:
    """Tell whether a cell is a host as brokers report it, such as `/10.4.1.17`."""
    return bool(_ADDRESS.fullmatch(cell))


def is_named_address(cell: str) -> bool:
    """Tell whether a cell is a host with its name, such as `ip-10-4-1-17.internal/10.4.1.17`."""
    return bool(_NAMED_ADDRESS.fullmatch(cell))


def places_of(words: list[re.Match], first: int, stop: int) -> list[int]:
    """Return which of words `first` to `stop` are hosts: addresses, else addresses with a name, else words behind a slash."""
    between = range(first, stop)
    for looks in (is_address, is_named_address, lambda cell: cell.startswith("/")):
        if found := [at for at in between if looks(words[at][0])]:
            return found
    return []


def before_and_address(text: str) -> tuple[str, str] | None:
    """Return what stands before an address at the end of a text, and the address."""
    parts = _GLUED.fullmatch(text)
    return (parts[1], parts[2]) if parts else None
