"""The reader and the reader's rights. Code of `shell` that loads data checks the rights; code that
draws does not.

    reader().sees(cluster, group)

A server without `[login]` and `[[rights]]` in its configuration is open: every reader is EVERYBODY.
On other servers, each request identifies the reader by a signed cookie, a header of a trusted
proxy, or a key. A request with none of the three is from an unknown reader, who sees nothing. A
group that the reader may not see gives the same error as a group that does not exist.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import pyarrow as pa
import streamlit as st
from streamlit import config
from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx
from streamlit.web.server.server_util import get_cookie_secret

from evenkeel.dashboard.shell.login_cookie import COOKIE, login_in, name_in, why_not
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data import audit
from evenkeel.data.configuration import Configuration, configuration
from evenkeel.data.configuration.rights import (
    EVERYTHING,
    NOTHING,
    Grants,
    Verb,
    from_headers,
    granted,
)
from evenkeel.data.errors import NoBatchError, SnapshotError
from evenkeel.data.lake import import_folder, store
from evenkeel.data.lake.history.instants import parted
from evenkeel.data.lake.place import Place
from evenkeel.data.shares.keys import is_key
from evenkeel.data.text.formats import duration

FROM = "x-evenkeel-from"
"""The header in which the server records the client's address. If a client sends this header
itself, it is removed.
"""

_NO_LOGIN = "a cookie that is not from a login of this server"
_SUBJECTS = ("sub", "user", "preferred_username", "email")


@dataclass(frozen=True)
class Reader:
    """One reader. `identity`: the same text at every login of this person. `why`: the reason, as a
    part of a sentence, if the request's cookie, header or key was refused; else empty.
    """

    kind: Literal["everybody", "login", "proxy", "key", "unknown"]
    identity: str = ""
    name: str = ""
    grants: Grants = NOTHING
    address: str = ""
    why: str = ""

    @property
    def is_known(self) -> bool:
        """Whether the reader has access to the server."""
        return self.kind != "unknown"

    @property
    def is_person(self) -> bool:
        """Whether a provider or a proxy has identified the reader."""
        return self.kind in ("login", "proxy")

    def may(self, verb: Verb, cluster: str | None, group: str | None) -> bool:
        """Return whether the reader has the right `verb` on a group. `cluster` is None if the group
        is not from a cluster, `group` is None if it has no name.
        """
        return self.grants.may(verb, cluster, group)

    def sees(self, cluster: str | None, group: str | None) -> bool:
        """Return whether the reader may see a group."""
        return self.may("see", cluster, group)

    def sees_some(self, cluster: str | None) -> bool:
        """Return whether the reader may see at least one group of a cluster."""
        return self.grants.may_in("see", cluster)

    def sees_all(self, cluster: str | None) -> bool:
        """Return whether the reader may see every group of a cluster."""
        return self.grants.covers("see", cluster)

    @property
    def scope(self) -> str:
        """A text for cache keys. Readers with different rights have different texts, so they share
        no cached values.
        """
        return self.grants.scope

    def may_open(self, owner: str | None) -> bool:
        """Return whether the reader may open an upload of `owner`. `owner` is None for an upload
        that is older than the server's login; every known reader may open it.
        """
        return self.is_known and (
            owner in (None, self.identity) or self.grants.covers_everything("admin")
        )


EVERYBODY = Reader("everybody", grants=EVERYTHING)
UNKNOWN = Reader("unknown")

_READING: ContextVar[Reader | None] = ContextVar("reading", default=None)


def reader() -> Reader:
    """Return the reader of the running page, of an API request, or of background work.

    Raises
    ------
    SnapshotError
        If the configuration is invalid. Nobody has rights then.
    """
    bound = _READING.get()
    if bound is not None:
        return bound
    if not configuration().is_closed:
        return EVERYBODY
    if get_script_run_ctx(suppress_warning=True) is None:
        return UNKNOWN
    return identified(st.context.headers, st.context.cookies)


@contextmanager
def acting(who: Reader) -> Iterator[None]:
    """During a `with` block, run with the rights of a reader."""
    before = _READING.set(who)
    try:
        yield
    finally:
        _READING.reset(before)


def on_behalf(work: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls `work` in another thread with the rights of the present
    reader.
    """
    who = reader()

    def asked(*arguments: Any, **named: Any) -> Any:
        with acting(who):
            return work(*arguments, **named)

    return work if who is EVERYBODY else asked


# The sender of a request: identified by a key, else by a proxy's headers, else by the login cookie.


def identified(headers: Mapping[str, str], cookies: Mapping[str, str]) -> Reader:
    """Return the reader whom the headers or cookies identify. A header with a person's name comes
    from a trusted proxy, because `server/login.py` removes it from all other requests.
    """
    address = headers.get(FROM) or ""
    scheme, _, token = (headers.get("authorization") or "").partition(" ")
    if scheme.lower() == "bearer" and is_key(token.strip()):
        return _of_key(token.strip(), address)
    named = {user_key: headers.get(name) for name, user_key in user_headers().items()}
    if any(named.values()):
        return _of_headers(from_headers(named), address)
    value = cookies.get(COOKIE)
    return _of_cookie(value, address) if value else Reader("unknown", address=address)


def user_headers() -> Mapping[str, str]:
    """Return Streamlit's option `server.trustedUserHeaders`: the headers by which a trusted proxy
    identifies the reader. Key: header name in lower case; value: field of the reader.
    """
    headers = config.get_option("server.trustedUserHeaders")
    return (
        {name.lower(): user_key for name, user_key in headers.items()}
        if isinstance(headers, dict)
        else {}
    )


def _of_key(token: str, address: str) -> Reader:
    # Called late, so that a server without keys does not read the database for keys.
    from evenkeel.data.shares.store import keys

    key = keys().find(token)
    if key is None:
        return Reader(
            "unknown",
            address=address,
            why="a key that is not of this server, has expired or was revoked",
        )
    return Reader("key", f"key:{key.key_id}", key.name, key.grants, address)


def _of_cookie(value: str, address: str) -> Reader:
    login, chosen = login_in(value, get_cookie_secret()), configuration()
    why = why_not(login, chosen) if login else _NO_LOGIN
    if login is None or why:
        return Reader("unknown", address=address, why=why)
    known = _KNOWN.get((value, address))
    if known is None or known[0] is not chosen:
        if len(_KNOWN) >= _MOST_NOTED:
            _KNOWN.clear()
        grants = granted(chosen.rights, login.claims)
        who = Reader("login", f"{login.provider}:{login.subject}", login.name, grants, address)
        _KNOWN[value, address] = known = chosen, who
    return known[1]


_KNOWN: dict[tuple[str, str], tuple[Configuration, Reader]] = {}
"""The last configuration and reader of each cookie. They are cached because a page asks for the
reader hundreds of times; the cached login can only expire.
"""


def _of_headers(claims: Mapping[str, Any], address: str) -> Reader:
    subject = next((str(claims[name]) for name in _SUBJECTS if claims.get(name)), "")
    if not subject:
        return Reader("unknown", address=address, why="a name header without a person's name")
    return Reader(
        "proxy",
        f"proxy:{subject}",
        name_in(claims),
        granted(configuration().rights, claims),
        address,
    )


# The owner and cluster of a batch, and whether the reader may open it.


class Whose(NamedTuple):
    """Where a batch comes from. `cluster`: None for files. `is_upload`: a reader has uploaded the
    batch.

    `owner`: the reader who uploaded it; None if the upload is older than the server's login.
    """

    cluster: str | None
    is_upload: bool
    owner: str | None


@lru_cache(maxsize=4096)
def _whose(lake: Place, batch: str) -> Whose:
    cluster, home = store.batch(lake, batch).cluster, store.home_of(lake, batch)
    is_upload = cluster is None and home != lake
    return Whose(cluster, is_upload, import_folder.owner_of(home) if is_upload else None)


def whose(batch: str) -> Whose:
    """Return the owner and the cluster of a batch. Raises SnapshotError if the batch is gone."""
    return _whose(configuration().lake, batch)


def require_batch(batch: str | None) -> None:
    """Check that a batch exists and that the reader may see at least a part of it.

    Raises
    ------
    SnapshotError
        If the check fails. The error is the same for a deleted batch, an unknown batch and another
        reader's batch.
    """
    if not batch:
        return
    chosen, who = configuration(), reader()
    try:
        store.batch(chosen.lake, batch)
        of = None if who is EVERYBODY else whose(batch)
    except NoBatchError:
        raise no_upload(chosen) from None
    if of and not (
        who.may_open(of.owner) if of.is_upload else who.grants.may_in("see", of.cluster)
    ):
        raise no_upload(chosen)


def require_seen(opened: OpenGroup) -> None:
    """Check that the reader may see the open group, and the earlier snapshot if the page compares
    with one. Raises the errors of `require_batch`.
    """
    for batch in _batches(opened):
        require_batch(batch)
    _require_right(opened)


def _require_right(opened: OpenGroup) -> None:
    """Check only the rights. Whether the batch still exists is checked when the batch is read."""
    if reader() is EVERYBODY:
        return
    try:
        is_there = all(sees_in(whose(batch), opened.group_id) for batch in _batches(opened))
    except NoBatchError:
        is_there = False
    if not is_there:
        raise no_upload(configuration())
    if opened.batch:
        audited_once("open", cluster=whose(opened.batch).cluster, group=opened.group_id)


def _batches(opened: OpenGroup) -> list[str]:
    return [
        batch for batch in (opened.batch, opened.earlier and parted(opened.earlier)[0]) if batch
    ]


def sees_in(of: Whose, group_id: str | None) -> bool:
    """Return whether the reader may see a group of a batch."""
    who = reader()
    return who.may_open(of.owner) if of.is_upload else who.sees(of.cluster, group_id)


def seen(groups: pa.Table, cluster: str | None) -> pa.Table:
    """Return the rows of a table whose `group_id` is a group that the reader may see."""
    who = reader()
    if who.sees_all(cluster):
        return groups
    return groups.filter(
        pa.array([who.sees(cluster, name) for name in groups["group_id"].to_pylist()], "bool")
    )


def require_key(key: object) -> None:
    """Check the rights on all groups that are part of a cache key, so that a reader gets no cached
    value about a hidden group.
    """
    if isinstance(key, OpenGroup):
        _require_right(key)
    elif type(key) is tuple:
        for part in key:
            require_key(part)


def no_upload(chosen: Configuration) -> NoBatchError:
    """Return the error for a missing batch, or for a batch that the reader may not see."""
    lifetime = duration(chosen.keep_uploads.total_seconds())
    return NoBatchError(
        "No upload is kept under this address. Pasted and uploaded data is deleted after"
        f" {lifetime}. Paste or upload it again."
    )


_NOTED: OrderedDict[tuple, None] = OrderedDict()
_MOST_NOTED = 10_000


def audited_once(event: audit.Event, **facts: str | None) -> None:
    """Write an action of the reader to the audit log, once for each browser tab. A page is run many
    times and repeats the action each time.
    """
    context = get_script_run_ctx(suppress_warning=True)
    key = context and context.session_id, reader().identity, event, *facts.values()
    if context and key in _NOTED:
        return
    _NOTED[key] = None
    if len(_NOTED) > _MOST_NOTED:
        _NOTED.popitem(last=False)
    audited(event, **facts)


def audited(event: audit.Event, **facts: str | None) -> None:
    """Write an action of the reader to the audit log."""
    who = reader()
    audit.write(event, who=who.identity, name=who.name, address=who.address, **facts)


def _owner() -> str | None:
    """Return the owner of a new upload. Raise SnapshotError if the reader has no right to
    upload.
    """
    who = reader()
    if not who.grants.may_anywhere("upload"):
        audited("refusal", what="upload", why="no right to upload")
        raise SnapshotError("your rights do not include pasting and uploading")
    audited("upload")
    return who.identity or None


import_folder.belong_to(_owner)
