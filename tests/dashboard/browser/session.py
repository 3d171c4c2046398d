"""One session of a page without a browser: Streamlit's own messages over its websocket."""

import asyncio
from collections.abc import Mapping
from types import MappingProxyType
from typing import Self

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import connect

_STREAM = "_stcore/stream"
_LARGEST = 200_000_000
_PATIENCE = 240
_DONE = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


class PageError(Exception):
    """The page shows a stack trace or an error, or its script did not finish."""


class Session:
    """A tab on one page; `async with` opens and closes its connection."""

    def __init__(
        self,
        address: str,
        page: str,
        query: str,
        cookie: str = "",
        headers: Mapping[str, str] = MappingProxyType({}),
    ):
        sent = dict(headers) | ({"Cookie": cookie} if cookie else {})
        stream = f"{address.replace('http', 'ws', 1)}/{_STREAM}"
        self._connection = connect(
            stream, subprotocols=["streamlit"], max_size=_LARGEST, additional_headers=sent
        )
        self._page, self._query = page, query
        self._script = ""
        self._kept: dict[str, ForwardMsg] = {}
        self.shown: list[Delta] = []
        self.received = 0

    async def __aenter__(self) -> Self:
        self._socket = await self._connection
        return self

    async def __aexit__(self, *_) -> None:
        await self._socket.close()

    async def run(
        self,
        press: str | None = None,
        opened: str | None = None,
        within: str | None = None,
        **choices: str,
    ) -> None:
        """Run the page, with texts chosen in widgets by their keys and perhaps a button pressed,
        until its script has finished.

        `opened`: the key of a popover that is opened. `within`: a widget of a dialog or fragment;
        only that is run.

        Raises
        ------
        PageError
            When the page shows a failure.
        """
        request = BackMsg()
        state = request.rerun_script
        state.query_string, state.page_script_hash = self._query, self._script
        state.page_name = "" if self._script else self._page
        state.cached_message_hashes.extend(self._kept)
        for key, value in choices.items():
            state.widget_states.widgets.add(id=self.widget(key).id, string_value=value)
        if press:
            state.widget_states.widgets.add(id=self.widget(press).id, trigger_value=True)
        if opened:
            state.widget_states.widgets.add(id=self._popover(opened), bool_value=True)
        if within:
            state.fragment_id = self._delta_of(within).fragment_id
        await self._socket.send(request.SerializeToString())
        async with asyncio.timeout(_PATIENCE):
            await self._until_finished()

    async def upload_path(self) -> str:
        """Return where the session takes a file."""
        request = BackMsg()
        asked = request.file_urls_request
        asked.request_id, asked.session_id = "file", self._id
        asked.file_names.append("file")
        await self._socket.send(request.SerializeToString())
        async with asyncio.timeout(_PATIENCE):
            async for data in self._socket:
                message = ForwardMsg.FromString(data)
                if message.HasField("file_urls_response"):
                    return message.file_urls_response.file_urls[0].upload_url
        raise PageError("the connection was closed")

    def widget(self, key: str):
        """Return the widget of a key, as the last run has drawn it."""
        return _element(self._delta_of(key))

    def text(self) -> str:
        """Return everything that the last run has drawn, as Streamlit's messages spell it."""
        return "\n".join(str(delta) for delta in self.shown)

    def _delta_of(self, key: str) -> Delta:
        return next(
            delta for delta in self.shown if _has_key(getattr(_element(delta), "id", ""), key)
        )

    def _popover(self, key: str) -> str:
        blocks = (
            delta.add_block.popover for delta in self.shown if delta.add_block.HasField("popover")
        )
        return next(block.id for block in blocks if _has_key(block.id, key))

    async def _until_finished(self) -> None:
        shown, kept = [], {}
        async for data in self._socket:
            self.received += len(data)
            message = ForwardMsg.FromString(data)
            kind = message.WhichOneof("type")
            message = self._kept[message.ref_hash] if kind == "ref_hash" else message
            if kind in ("delta", "ref_hash"):
                shown.append(message.delta)
                _refuse_failure(message.delta)
                if message.metadata.cacheable:
                    kept[message.hash] = message
            elif kind == "new_session":
                self._id = message.new_session.initialize.session_id
            elif kind == "navigation":
                self._script = message.navigation.page_script_hash
            elif kind == "page_info_changed":
                self._query = message.page_info_changed.query_string
            elif kind == "script_finished" and message.script_finished in _DONE:
                self.shown, self._kept = shown, kept
                return
            elif (
                kind == "script_finished"
                and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN
            ):
                raise PageError(ForwardMsg.ScriptFinishedStatus.Name(message.script_finished))
        raise PageError("the connection was closed")


def _element(delta: Delta):
    return getattr(delta.new_element, delta.new_element.WhichOneof("type") or "empty")


def _has_key(widget_id: str, key: str) -> bool:
    return widget_id.split("-", 2)[2:] == [key]


def _refuse_failure(delta: Delta) -> None:
    element = delta.new_element
    if element.HasField("exception"):
        raise PageError(element.exception.message)
    if element.HasField("alert") and element.alert.format == element.alert.ERROR:
        raise PageError(element.alert.body)
