"""Choices that are stored in the session and in the address.

    _SIDE = Options("best-table", {"plan": "Plan", "assignors": "Assignors"}, "plan", "table")

    # Before the widget: read the address's value.
    side = _SIDE.follow()
    # Draw the widget and write its value to the address, except a default.
    _SIDE.show("Table")

Every widget gets its value in two ways: from the session, and as its default. Without the default,
the browser gets the value only once, and a new run may start before that. The browser then shows
the first option and reports this option as the reader's choice.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import streamlit as st

from evenkeel.dashboard.shell import address
from evenkeel.data.text.formats import with_more

T = TypeVar("T")

_MOST_NAMED = 40


class Choice(Generic[T]):
    """A choice of the reader, stored in the session under `key`.

    `name`: the choice's name in the address, if it is not `key`.
    """

    key: str
    default: T
    name: str = ""

    def read(self, linked: str) -> tuple[T, str]:
        """Return two values: the choice that the address text `linked` means, and an error. The
        error is empty if `linked` is valid.
        """
        raise NotImplementedError

    def text(self, value: T) -> str:
        """Return a value as a text for the address."""
        return str(value)

    @property
    def link(self) -> str:
        """The choice's name in the address."""
        return self.name or self.key

    @property
    def value(self) -> T:
        """The current choice. Call `follow` first."""
        return st.session_state[self.key]

    @property
    def widget(self) -> dict[str, Any]:
        """The keyword arguments of the choice's Streamlit widget."""
        return {
            "key": self.key,
            "label_visibility": "collapsed",
            "persist_state": "session",
            "on_change": address.chosen,
            "args": (self.link,),
        }

    def follow(self) -> T:
        """Return the value in the address, else the previous choice, else the default. If the value
        in the address is unknown, draw a line that says so.
        """
        linked = self._linked()
        if linked is not None:
            st.session_state[self.key], refused = self.read(linked)
            if refused:
                address.refuse(self.link, refused)
        elif address.is_followed() or not self._is_possible():
            st.session_state[self.key] = self.default
        address.show_refused(self.link)
        return self.value

    def write(self) -> None:
        """Write the choice to the address, unless the choice is the default."""
        is_default = self.value == self.default
        address.show(**{self.link: None if is_default else self.text(self.value)})

    def choose(self, value: T) -> None:
        """Set the choice without its widget, for example in another widget's callback."""
        st.session_state[self.key] = value
        address.chosen(self.link)

    def refuse(self, text: str) -> None:
        """Draw a line that says why the choice is refused. The reader's next choice removes the
        line.
        """
        address.refuse(self.link, text)
        address.show_refused(self.link)

    def _linked(self) -> str | None:
        return address.take(self.link)

    def _is_possible(self) -> bool:
        return self.key in st.session_state


@dataclass(frozen=True)
class Options(Choice[str]):
    """A choice between a few options. If `options` is a mapping, its values are the shown texts of
    the options.

    An unknown option in the address causes a line with the known options. In this line, `noun`
    names the choice, and `called` returns the name of an option.
    """

    key: str
    options: Mapping[str, str] | Sequence[str]
    default: str
    noun: str
    name: str = ""
    called: Callable[[str], str] = str

    def read(self, linked: str) -> tuple[str, str]:
        """Return the option in the address. If there is no such option, return the default and a
        line that lists the options.
        """
        if linked in self.options:
            return linked, ""
        named = ", ".join(map(self.called, list(self.options)[:_MOST_NAMED]))
        available = with_more(named, len(self.options) - _MOST_NAMED)
        return (
            self.default,
            f"The URL asks for the {self.noun} “{linked[:80]}”; available: {available}.",
        )

    def show(
        self, label: str, texts: Mapping[str, str] | None = None, help: str | None = None
    ) -> str:
        """Draw the options next to each other and return the choice. `texts`: the options to draw,
        with their shown texts; all options by default.
        """
        shown = self._texts if texts is None else texts
        st.segmented_control(
            label,
            list(shown),
            format_func=shown.__getitem__,
            default=self.value,
            required=True,
            help=help,
            **self.widget,
        )
        self.write()
        return self.value

    def select(self, label: str, **look: Any) -> str:
        """Draw the options as a drop-down list and return the choice. `look`: further arguments of
        `st.selectbox`.
        """
        options = list(self.options)
        st.selectbox(
            label,
            options,
            options.index(self.value),
            format_func=self._texts.__getitem__,
            **self.widget | look,
        )
        self.write()
        return self.value

    @property
    def _texts(self) -> Mapping[str, str]:
        if isinstance(self.options, Mapping):
            return self.options
        return {option: option for option in self.options}

    def _is_possible(self) -> bool:
        return st.session_state.get(self.key) in self.options


@dataclass(frozen=True)
class ListedGroup(Options):
    """A choice of one group in a list. The address names the group by its place in the list,
    counted from 1, or by its name.

    `is_part`: some groups are hidden from this reader. The same place may be another group for
    another reader, so pages write the group's name.
    """

    name: str = "group"
    is_part: bool = False

    def write(self) -> None:
        """Write the group to the address so that every reader opens the same group."""
        if not self.value:
            return
        if self.is_part:
            address.show(group=self.value)
        else:
            address.show(place=str(list(self.options).index(self.value) + 1))

    def _linked(self) -> str | None:
        place, name = address.take("place"), super()._linked()
        if place is None:
            return name
        names = list(self.options)
        number = None if self.is_part else address.whole(place, len(names))
        if number:
            return names[number - 1]
        by_place = "" if self.is_part else f", or a place from 1 to {len(names):,}"
        address.refuse(
            self.link,
            f"The URL asks for the group “{place[:80]}” of this list, expected its name{by_place}.",
        )
        return name


@dataclass(frozen=True)
class Number(Choice[int | None]):
    """A choice of a whole number, or None. `noun` names the number in the line about a wrong value
    in the address.
    """

    key: str
    noun: str
    most: int
    least: int = 0
    name: str = ""
    default: None = None

    def read(self, linked: str) -> tuple[int | None, str]:
        """Return the number in the address. If there is no allowed number, return None and a line
        that says what is expected.
        """
        number = address.whole(linked, self.most)
        if number is not None and number >= self.least:
            return number, ""
        return (
            None,
            f"The URL asks for {self.noun} “{linked[:80]}”, expected a whole number from"
            f" {self.least:,} to {self.most:,}.",
        )

    def show(self, label: str, **look: Any) -> int | None:
        """Draw the field and return its number. `look`: further arguments of `st.number_input`."""
        st.number_input(label, self.least, self.most, None, **self.widget, **look)
        self.write()
        return self.value
