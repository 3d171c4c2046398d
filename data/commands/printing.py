"""Text on its way to a terminal."""


def printable(text: str) -> str:
    """Return one line in which nothing moves the cursor: names of groups and topics come from files."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape", "backslashreplace").decode() for sign in text)
