"""Choices that are kept in the address: one of a few options side by side, or a whole number.

linked_choice.follow_number("at-most", "moves", 10**6)     # before anything reads the number
moves = linked_choice.show_number("Moves at most", "at-most", 10**6)
"""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from evenkeel.dashboard.shell import address


def show(
    label: str, texts: Mapping[str, str], key: str, link: str | None = None, help: str | None = None
) -> str:
    """Draw the options and return which is chosen; `address.follow` must have given the widget its
    value.

    `texts`: the text of each option. `link`: its name in the address, if that is not the widget's
    key.
    """
    return st.segmented_control(
        label,
        list(texts),
        format_func=texts.__getitem__,
        default=st.session_state[key],
        key=key,
        required=True,
        persist_state="session",
        label_visibility="collapsed",
        help=help,
        on_change=address.chosen,
        args=(link or key,),
    )


# A field for a whole number that follows the address; empty without a number.


def follow_number(
    key: str, noun: str, most: int, least: int = 0, state: str | None = None
) -> int | None:
    """Give the field its number before it is drawn, from the address, else the last one; return it.

    `noun` names it if the address has no such number. `state`: the field's key if it differs from
    the address's.
    """

    def read(linked: str) -> tuple[int | None, str]:
        number = address.whole(linked, most)
        if number is not None and number >= least:
            return number, ""
        return (
            None,
            (
                f"The address asks for {noun} “{linked[:80]}”, expected a whole number from"
                f" {least:,} to {most:,}."
            ),
        )

    return address.follow_value(key, read, None, state)


def show_number(
    label: str, key: str, most: int, least: int = 0, state: str | None = None, **look: Any
) -> int | None:
    """Draw the field and return its number; `look`: further arguments of `st.number_input`."""
    return st.number_input(
        label,
        least,
        most,
        None,
        key=state or key,
        label_visibility="collapsed",
        persist_state="session",
        on_change=address.chosen,
        args=(key,),
        **look,
    )
