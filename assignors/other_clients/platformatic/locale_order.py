"""JavaScript's localeCompare for topic names: punctuation, digits, letters; case decides last, small letters first."""

_PRIMARY = {character: place for place, character in enumerate("_-.0123456789abcdefghijklmnopqrstuvwxyz")}


def locale_key(topic_name: str) -> tuple[list[int], list[bool]]:
    """Return a key that sorts as ICU's root collation does; other characters than those of topic names sort last."""
    places = [_PRIMARY.get(character.lower(), len(_PRIMARY) + ord(character)) for character in topic_name]
    return places, [character.isupper() for character in topic_name]
