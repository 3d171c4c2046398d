"""All choices of a page are in its address. So a copied address shows the same page, and Back and
Forward show the earlier choices.

Servers and proxies log addresses. So pages write no names of groups, topics or members into
addresses, with two exceptions: the search text of Groups, and short edits of What-if, in base64url.
A reader may type a name into an address (`by_link`).

A widget whose choice is in the address is a `choice.Choice`.

`drawn` wraps the page and writes the address once, at the end of the page. If Streamlit runs only a
fragment of the page, the fragment writes the address at once.
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
    """Read the address if the session is new, or after Back or Forward. Return True if the session
    is new.
    """
    now, is_new = st.query_params.to_dict(), _LINK not in st.session_state
    # A run that restarts itself, for example to read a group again, has already followed the
    # address.
    is_followed = not is_new and _is_gone_back() and st.session_state.get(_FOLLOWED) != now
    if is_new or is_followed:
        st.session_state[_LINK] = dict(now)
        st.session_state.pop(_REFUSED, None)
    if is_followed:
        st.session_state[_FOLLOWED] = now
    return is_new


@contextmanager
def drawn() -> Iterator[None]:
    """Collect the page's choices while the page is drawn, then write the choices to the address. If
    the reader leaves or restarts the page meanwhile, write nothing.
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
        # Unused values of the address are for widgets that this run did not draw.
        left = dict(link)
        # If the browser has requested another run, for example for a narrow window, each access to
        # the session raises again. So the new run needs all values again.
        link.update(whole)
        _write(left | st.session_state.pop(_SHOWN))
        st.session_state[_LINK] = left
        raise
    except Exception:
        # The address is unchanged, because it may open the page again after the fault is fixed.
        st.session_state.pop(_SHOWN)
        raise
    else:
        _write(st.session_state.pop(_SHOWN))
        st.session_state[_LINK] = {}
    st.session_state.pop(_FOLLOWED, None)


def draw_again(is_clicked: bool = False) -> None:
    """Run the whole page again. Called by a fragment that waits for a result. Do nothing if a click
    or Back is pending; the fragment's next run calls this function again.

    `is_clicked`: the fragment runs because of a click, so run the page in any case.

    While a click is pending, a new run may start with the old address. The new run would write this
    address to the browser and so undo the click or Back.
    """
    look_up()
    if is_clicked or st.query_params.to_dict() == st.session_state[_WRITTEN]:
        st.rerun()


def take(key: str) -> str | None:
    """Return the value that the address has for a key, or None. A value is returned only once."""
    return st.session_state[_LINK].pop(key, None)


def whole(linked: str | None, most: int) -> int | None:
    """Return the whole number that `linked` contains. None if `linked` is not a whole number from 0
    to `most`. Also None for `²`, and for numbers of more than 4,300 digits, which Python cannot
    parse.
    """
    if linked is None or not (linked.isascii() and linked.isdecimal()):
        return None
    return int(linked) if len(linked) <= len(str(most)) and int(linked) <= most else None


def lead_to(**choices: str | None) -> None:
    """Set choices for the next page, as if the page's address contained the choices. The caller
    must call `st.switch_page` next.
    """
    st.session_state[_LINK] = {key: value for key, value in choices.items() if value is not None}


def says(*keys: str) -> bool:
    """Return whether the address has, for one of these keys, a value that no widget has read."""
    return any(key in st.session_state[_LINK] for key in keys)


def is_followed() -> bool:
    """Return whether the reader used Back or Forward. If so, a choice that is not in the address
    gets its default.
    """
    return _FOLLOWED in st.session_state


def show(**choices: str | None) -> None:
    """Write choices to the address; None removes a choice."""
    if _SHOWN in st.session_state:
        st.session_state[_SHOWN] |= choices
    else:
        _write({**st.query_params.to_dict(), **choices})


def refuse(key: str, text: str) -> None:
    """Store one line that says which value in the address is wrong. The reader's next choice under
    this key removes the line.
    """
    st.session_state.setdefault(_REFUSED, {})[key] = text


def chosen(key: str) -> None:
    """Remove a key's line about a wrong value, and the key's unread value. Called after the reader
    has made a choice.
    """
    for state in (_REFUSED, _LINK):
        st.session_state.get(state, {}).pop(key, None)


def show_refused(key: str) -> None:
    """Draw the stored line about a key's wrong value, if any."""
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
        # In one call, because each change of the address is a separate message to the browser.
        st.query_params.from_dict(wanted)
