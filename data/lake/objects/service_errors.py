"""What a folder or a service of object storage says when it refuses, as one line."""

import re

_ANSWERED = re.compile(r"status code: (\d{3} [A-Za-z ]+)")
_CODE, _MESSAGE = re.compile(r"<Code>([^<]*)</Code>"), re.compile(r"<Message>([^<]*)</Message>")
_ASKED = re.compile(r"Error performing [A-Z]+ (https?://[^/\s]+)")
_SYSTEM = re.compile(r"([A-Z][a-z][^:(\"]*) \(os error \d+\)")
_LONGEST = 300


def in_words(error: BaseException) -> str:
    """Return the cause that an error names: what the service or the operating system answered, or that nothing answers."""
    text = str(error)
    answered, asked, system = _ANSWERED.search(text), _ASKED.search(text), _SYSTEM.search(text)
    if answered:
        said = [one[1] for one in (_CODE.search(text), _MESSAGE.search(text)) if one]
        return ": ".join(["the service answers " + answered[1].strip(), *said])[:_LONGEST]
    if asked:
        return f"no answer from {asked[1]}"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return system[1] if system else text.splitlines()[0][:_LONGEST]
