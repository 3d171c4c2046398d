"""The address of a page has all its choices, so that a copied address, Back and Forward show the
same page.

Pages write no names from listings into addresses: servers and proxies log addresses. A reader may
type a name (`by_link`). The exceptions are the search text of Groups, as the reader typed it, and
short edits of What-if with their names, in base64url.

A widget whose choice is in the address is a `choice.Choice`.

`drawn` wraps the page and writes the address once, at the end; a fragment drawn alone writes it
immediately.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st
from streamlit.runtime.scriptrunner import RerunException, StopException, get_script_run_ctx

from evenkeel.dashboard import scripts
from evenkeel.dashboard.names import literal
from evenkeel.dashboard.shell.cache import look_up

_LINK = "link"
_FOLLOWED = "link-followed"
_SHOWN = "link-shown"
_REFUSED = "link-refused"
_WRITTEN = "link-written"


def begin() -> bool:
    """Read the address at the start of the session and after Back or Forward; return whether the
    session starts now.
    """
    now, is_new = st.query_params.to_dict(), _LINK not in st.session_state
    # A run that restarts itself, such as to read a group again, has followed the address already.
    is_followed = not is_new and _is_gone_back() and st.session_state.get(_FOLLOWED) != now
    if is_new or is_followed:
        st.session_state[_LINK] = dict(now)
        st.session_state.pop(_REFUSED, None)
    if is_followed:
        st.session_state[_FOLLOWED] = now
    return is_new


@contextmanager
def drawn() -> Iterator[None]:
    """Collect the page's choices while it is drawn, then write the address; a page left or
    restarted meanwhile writes nothing.
    """
    st.html(scripts.inline("address"), unsafe_allow_javascript=True)
    st.session_state[_SHOWN] = {}
    st.session_state[_WRITTEN] = st.query_params.to_dict()
    link = st.session_state[_LINK]
    whole = dict(link)
    try:
        yield
    except RerunException:
        raise
    except StopException:
        # Values that no widget has taken yet are for widgets that this run did not draw.
        left = dict(link)
        # If the browser has asked for another run, such as one for a narrow window, each look at
        # the session raises again: that run takes all values anew.
        link.update(whole)
        _write(left | st.session_state.pop(_SHOWN))
        st.session_state[_LINK] = left
        raise
    except Exception:
        # The address stays: it may lead to the page again when what failed is mended.
        st.session_state.pop(_SHOWN)
        raise
    else:
        _write(st.session_state.pop(_SHOWN))
        st.session_state[_LINK] = {}
    st.session_state.pop(_FOLLOWED, None)


def draw_again(is_clicked: bool = False) -> None:
    """Run the whole page from a waiting fragment; return if a click or Back is pending: then its
    next turn asks again.

    `is_clicked`: a click requested it; maybe there is no next turn.

    A run that starts with an older address than the browser's writes the newer address again. After
    a further click or Back, this would undo their step.
    """
    look_up()
    if is_clicked or st.query_params.to_dict() == st.session_state[_WRITTEN]:
        st.rerun()


def take(key: str) -> str | None:
    """Return the address's value of a key, once."""
    return st.session_state[_LINK].pop(key, None)


def whole(linked: str | None, most: int) -> int | None:
    """Return the address's whole number, None for any other text: `²` is not a number, and Python
    reads no number of 4,301 digits.
    """
    if linked is None or not (linked.isascii() and linked.isdecimal()):
        return None
    return int(linked) if len(linked) <= len(str(most)) and int(linked) <= most else None


def lead_to(**choices: str | None) -> None:
    """Make the next page read these choices as if from its address; `st.switch_page` must
    follow.
    """
    st.session_state[_LINK] = {key: value for key, value in choices.items() if value is not None}


def says(*keys: str) -> bool:
    """Return whether the address has one of these keys, not used yet."""
    return any(key in st.session_state[_LINK] for key in keys)


def is_followed() -> bool:
    """Return whether the reader used Back or Forward: then choices missing in the address are
    reset.
    """
    return _FOLLOWED in st.session_state


def show(**choices: str | None) -> None:
    """Put choices into the address; None takes a choice out."""
    if _SHOWN in st.session_state:
        st.session_state[_SHOWN] |= choices
    else:
        _write({**st.query_params.to_dict(), **choices})


def refuse(key: str, text: str) -> None:
    """Keep one line about a wrong part of the address until the next choice."""
    st.session_state.setdefault(_REFUSED, {})[key] = text


def chosen(key: str) -> None:
    """Drop the refusal line, and a value that no run has finished with: a person has chosen."""
    for state in (_REFUSED, _LINK):
        st.session_state.get(state, {}).pop(key, None)


def show_refused(key: str) -> None:
    """Draw the refusal line if there is one."""
    text = st.session_state.get(_REFUSED, {}).get(key)
    if text:
        st.warning(literal(text))


def _is_gone_back() -> bool:
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def _write(choices: dict[str, str | None]) -> None:
    wanted = st.session_state[_WRITTEN] = {
        key: value for key, value in choices.items() if value is not None
    }
    if wanted != st.query_params.to_dict():
        # At once: each change of the address is a message of its own.
        st.query_params.from_dict(wanted)
