"""The pages under AppTest, with a lake of their own."""

import html
import json
import re
from collections.abc import Callable
from concurrent.futures import wait
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import streamlit as st
from pyspark.sql import SparkSession
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest, app_test, local_script_runner
from streamlit.testing.v1.local_script_runner import LocalScriptRunner
from streamlit.util import calc_hash

from evenkeel.assignors.compare.balance import Balance
from evenkeel.dashboard.names import WORD_JOINER
from evenkeel.dashboard.shares.loading.owners import COOKIE
from evenkeel.dashboard.shell.apart import Turn
from evenkeel.dashboard.shell.cache import _ASKED, _RUNNING, ALL
from evenkeel.dashboard.shell.navigation import PLACES
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import place_of
from evenkeel.data.pipeline import uploads
from evenkeel.data.pipeline.ingest import ingest
from evenkeel.data.pipeline.ingest.batch import ShuffleHere
from evenkeel.data.pipeline.ingest.inputs import inputs_of
from tests.assignors.groups import assignment, group
from tests.dashboard.crashes import crashes
from tests.dashboard.moves.changes import shown
from tests.waiting import until

ENTRY = str(Path(__file__).parents[2] / "dashboard/app.py")
ADDRESSES = {place.url_path or "start": place.url_path for place in PLACES}
"""The address of each page by the name that tests give it."""


def script_ended(runner: LocalScriptRunner, timeout: float) -> None:
    """Wait for the end of a run, at most so many seconds."""
    runner._script_thread.join(timeout)
    if not runner.script_stopped():
        runner.request_stop()
        runner.join()
        raise RuntimeError(f"the page did not end within {timeout} s")


class Page:
    """One browser tab on the dashboard."""

    def __init__(self, app: AppTest):
        self.app = app

    def open(self, name: str = "", **link: str) -> "Page":
        """Open a page by its name, with a link's parameters."""
        for key, value in link.items():
            self.app.query_params[key] = value
        if name:
            # Not switch_page: before the first run it knows a page by the name of its file.
            self.app._page_hash = calc_hash(ADDRESSES[name])
        self.app.run()
        return self

    def until(self, condition: Callable[[], Any]) -> Any:
        """Look again, as a browser does once a second, until this is true of the page;
        return it.
        """
        return until(lambda: condition() or self._look_again(), pause=0.1)

    def _look_again(self) -> None:
        self.app.run()

    def paste(self, text: str) -> "Page":
        """Read a text on the page Open."""
        self.open("open")
        self.app.text_area(key="paste").set_value(text)
        return self._read()

    def _read(self) -> "Page":
        """Press the button; the next run is one of home if that shows what was read."""
        self.app.button(key="read-paste").click().run()
        if "read" in self.address:
            self.app._page_hash = calc_hash(ADDRESSES["start"])
        return self

    def upload(self, *files: tuple[str, bytes]) -> "Page":
        """Read files on the page Open, by name and content."""
        self.open("open")
        for name, content in files:
            self.app.file_uploader(key="files").upload(name, content, "text/plain")
        self.app.run()
        return self._read()

    def anew(self) -> "Page":
        """Another browser on the same server."""
        return Page(AppTest.from_file(ENTRY, default_timeout=300))

    @property
    def address(self) -> dict[str, str]:
        """What stands in the address."""
        return {
            key: value if isinstance(value, str) else value[0]
            for key, value in self.app.query_params.items()
        }

    @property
    def html(self) -> str:
        """Everything that our own HTML says."""
        return "\n".join(
            element.proto.body
            for element in self.app.get("html")
            if not element.proto.unsafe_allow_javascript
        )

    @property
    def kpis(self) -> dict[str, str]:
        """The numbers of the strip by their labels."""
        cells = [
            re.sub("</?code>", "", cell).split("</dt><dd><b>")
            for cell in self.html.split("<dt>")[1:]
        ]
        return {label: value.split("</b>")[0] for label, value in cells}

    @property
    def rows(self) -> list[dict]:
        """What the assignor table is given, without the best assignment, which is found behind the
        page.
        """
        return [row for row in self.component("candidate")["rows"] if not row.get("isBest")]

    @property
    def groups(self) -> dict[str, dict[str, str]]:
        """The rows of the table of groups: the texts of each group by the keys of the columns."""
        table = self.component("rows") or {"columns": [], "rows": []}
        keys = [column["key"] for column in table["columns"]]
        rows = [
            dict(zip(keys, (cell.get("text") for cell in row["cells"]), strict=True))
            for row in table["rows"]
        ]
        return {row["group"]: row for row in rows}

    @property
    def findings(self) -> dict[str, str]:
        """The lines of groups that are not fine: sentences by group."""
        lines = next(iter(self.components("lines")), {"lines": []})["lines"]
        return {line["name"]: line["sentence"] for line in lines if "name" in line}

    @property
    def counts(self) -> str:
        """What home says of all groups."""
        return re.sub(
            "<.*?>", "", self.html.split('<h1 class="counts"')[1].split(">", 1)[1].split("</h1>")[0]
        )

    def component(self, key: str) -> dict | None:
        """Return what the first component whose data have a key is given."""
        return next(iter(self.components(key)), None)

    def components(self, key: str) -> list[dict]:
        """Return what each of them is given."""
        given = [
            json.loads(element.proto.json or "{}") for element in self.app.get("bidi_component")
        ]
        return [data for data in given if key in data]

    @property
    def table(self) -> dict[str, list[str]]:
        """The assignor table: cells by assignor."""
        return {row["name"]: [cell["text"] for cell in row["cells"]] for row in self.rows}

    @property
    def remarks(self) -> dict[str, list[str]]:
        """What is to be known of the answers, by the names in front."""
        found = re.findall(r'<dt class="who">(.*?)</dt>(.*?)</div>', self.html)
        return {
            re.sub("<.*?>", "", names): [
                html.unescape(text) for text in re.findall("<dd>(.*?)</dd>", said)
            ]
            for names, said in found
        }

    def figure(self, place: int = 0) -> dict:
        return json.loads(self.app.get("plotly_chart")[place].proto.spec)

    @property
    def errors(self) -> list[str]:
        """What the page calls wrong, without the escapes that keep it from being read as
        Markdown.
        """
        return [unescaped(error.value) for error in self.app.error]

    @property
    def warnings(self) -> list[str]:
        """The same of what the page warns about."""
        return [unescaped(warning.value) for warning in self.app.warning]

    @property
    def badges(self) -> str:
        """What all badges say."""
        return "\n".join(badge.value for badge in self.app.markdown if "-badge[" in badge.value)

    @property
    def scope(self) -> str:
        """The name of the group that is open."""
        return self.html.split('<h1 class="scope-title" title="')[1].split('"')[0]


def unescaped(markdown: str) -> str:
    return html.unescape(re.sub(r"\\(.)", r"\1", markdown)).replace(WORD_JOINER, "")


@pytest.fixture(scope="session", autouse=True)
def once_for_all_pages():
    """Streamlit looks through all installed packages for components once, not for every AppTest,
    and compiles a script once: half of a test's time. Who waits for a script does not look again
    each millisecond. A session has no client, and a plain object says so: a mock would record each
    call.
    """
    with pytest.MonkeyPatch.context() as patch:
        scripts = ScriptCache()
        patch.setattr(app_test, "ScriptCache", lambda: scripts)
        patch.setattr(local_script_runner, "ScriptCache", lambda: scripts)
        patch.setattr(local_script_runner, "require_widgets_deltas", script_ended)
        patch.setattr(
            app_test,
            "MagicMock",
            lambda spec: SimpleNamespace(get_client=lambda session: None),
        )
        patch.setattr(
            manifest_scanner,
            "scan_component_manifests",
            cache(manifest_scanner.scan_component_manifests),
        )
        yield


@pytest.fixture(scope="module", autouse=True)
def own_cache():
    """Forget what other files have loaded: lakes that were made within one hour have slots of the
    same names.
    """
    ALL.clear()


@pytest.fixture(autouse=True)
def no_crash():
    """Fail a test in which a page crashes."""
    with crashes() as found:
        yield
    assert found == []


@pytest.fixture(autouse=True)
def closed_at_the_end():
    """Close the tabs of a test: what is searched behind a page that nobody looks at ends."""
    yield
    _ASKED.clear()
    wait(_RUNNING.values(), timeout=10)
    _RUNNING.clear()


@pytest.fixture
def lake(tmp_path, monkeypatch):
    monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path))
    return tmp_path


class SparkIfNeeded:
    """A session that starts when something is asked of it: most uploads have nothing to join."""

    def __init__(self, start: Callable[[], SparkSession]):
        self._start = start

    def __getattr__(self, name: str):
        return getattr(self._start(), name)


class AnsweredHere:
    """`OwnProcess` in this process."""

    def __init__(self, limits, function, *arguments, begin):
        self.answer = lambda: function(*arguments)

    def has_ended(self, seconds):
        return True

    def stop(self):
        pass


@pytest.fixture
def wait_for_rest():
    """Wait until no heavy work runs and nothing is computed behind a page; return a function that
    waits again.
    """

    def wait() -> None:
        until(lambda: not Turn._all and all(each.done() for each in [*_RUNNING.values()]))

    wait()
    return wait


@pytest.fixture
def ingests_here(monkeypatch, request):
    """Read uploads in this process in place of one of their own, and ingest in place of a worker of
    Spark.

    A Spark that still starts would crash the end of the process.
    """
    spark = SparkIfNeeded(lambda: request.getfixturevalue("spark"))
    monkeypatch.setattr(uploads, "OwnProcess", AnsweredHere)
    monkeypatch.setattr(
        uploads, "_READER", SimpleNamespace(start=lambda environment: None, begin=None)
    )
    monkeypatch.setattr(ingest, "SparkShuffle", lambda session: ShuffleHere())
    monkeypatch.setattr(ingest, "watched", lambda *arguments: nullcontext())
    monkeypatch.setattr(
        uploads,
        "_SPARK",
        SimpleNamespace(start=lambda: False, state="ready", session=lambda: spark),
    )


@pytest.fixture
def page(lake, ingests_here):
    """A tab whose uploads are ingested here."""
    return Page(AppTest.from_file(ENTRY, default_timeout=300))


@pytest.fixture
def ingested(lake, page):
    """Return a function that brings a text into the lake as `evenkeel ingest` does."""

    def stored(text: str) -> Manifest:
        (lake / "listing.txt").write_text(text)
        return ingest.ingest(
            inputs_of([lake / "listing.txt"]), place_of(lake), uploads._SPARK.session
        )

    return stored


@pytest.fixture
def cookies(monkeypatch):
    """Return a function that gives the browser a cookie; without it the browser keeps none."""
    kept = {}
    monkeypatch.setattr(type(st.context), "cookies", property(lambda context: kept))
    return lambda secret: kept.update({COOKIE: secret})


# -- figures and tables --


def _balance(counts, lags, unknown=None):
    return Balance(
        np.array(counts),
        np.array(lags),
        np.zeros(len(counts), dtype=np.int64) if unknown is None else np.array(unknown),
    )


@pytest.fixture
def balance():
    """Return a maker of balances: partition counts, lags and unknown lags of each member."""
    return _balance


@pytest.fixture
def three(balance):
    """Three members: a far behind, c idle now; with the candidate all have something."""
    return ["a", "b", "c"], balance([4, 2, 0], [300, 30, 0]), balance([2, 2, 2], [120, 110, 100])


@pytest.fixture
def switched():
    """A keeps t0-0, gives t0-1 to B and drops t1-1; t1-0, of unknown lag, goes from no
    owner to B.
    """
    snapshot = group({"t0": 2, "t1": 2}, A="t0 t1", B="t0 t1", lag=[100, 40, None, 60])
    return shown(
        snapshot,
        assignment(snapshot, A="t0-0 t0-1 t1-1"),
        assignment(snapshot, A="t0-0", B="t0-1 t1-0"),
    )
