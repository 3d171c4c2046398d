"""Quantities as people write them: `24h`, `1.5m`, `512 MB`, `10 %`."""

import re
from datetime import timedelta
from typing import ClassVar, Self

_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
_BYTES = {"MB": 10**6, "GB": 10**9}


class Duration(timedelta):
    """A length of time."""

    EXPECTED: ClassVar[str] = 'a number and s, m, h or d, such as "24h"'

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a duration.

        Raises
        ------
        ValueError
            For a text that is none.
        """
        # ASCII: \d alone also takes the digits of other scripts.
        parts = re.fullmatch(r"(\d{1,6}(?:\.\d{1,6})?)\s*([smhd])", text, re.ASCII)
        if not parts:
            raise ValueError(f"{text!r} is no duration, expected {cls.EXPECTED}")
        return cls(**{_UNITS[parts[2]]: float(parts[1])})


class ByteCount(int):
    """A number of bytes."""

    EXPECTED: ClassVar[str] = 'a number and MB or GB, such as "512 MB"'

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a number of bytes.

        Raises
        ------
        ValueError
            For a text that is none.
        """
        parts = re.fullmatch(r"(\d{1,6})\s*(MB|GB)", text, re.ASCII)
        if not parts:
            raise ValueError(f"{text!r} is no number of bytes, expected {cls.EXPECTED}")
        return cls(int(parts[1]) * _BYTES[parts[2]])


class Percentage(float):
    """A part of 1."""

    EXPECTED: ClassVar[str] = 'a number from 1 to 100 and %, such as "10 %"'

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a percentage.

        Raises
        ------
        ValueError
            For a text that is none, or outside 1 to 100.
        """
        parts = re.fullmatch(r"(\d{1,3}(?:\.\d{1,6})?)\s*%", text, re.ASCII)
        if not parts or not 1 <= float(parts[1]) <= 100:
            raise ValueError(f"{text!r} is no percentage, expected {cls.EXPECTED}")
        return cls(float(parts[1]) / 100)
