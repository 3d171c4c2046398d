"""Draw figures in the colours of the browser's theme, also after the theme changes.

Also load the JavaScript of figures before a page needs it.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import plotly.graph_objects as go
import streamlit as st

from evenkeel.dashboard.parts import frame, narrow
from evenkeel.dashboard.shell.loading.views import Ready

Mode = Literal["points", "box"]
_WIDTH = "window-width"

_watch = st.components.v2.component(
    "evenkeel.side",
    html="<i></i>",
    js="""
export default function ({ data, parentElement, setTriggerValue }) {
  const mark = parentElement.querySelector("i");
  const look = () => {
    const shade = getComputedStyle(mark).getPropertyValue("--st-background-color").trim();
    // In steps of 10 pixels: otherwise every width would cause a run while a window is resized.
    const width = window.innerWidth > data.most ? 0 : Math.floor(window.innerWidth / 10) * 10;
    if (width !== data.width && width !== parentElement.width) setTriggerValue("narrow", { width });
    parentElement.width = width;
    if (!shade || shade === parentElement.shade) return;
    // The first look sees the theme of this run.
    const isSwitched = parentElement.shade !== undefined;
    parentElement.shade = shade;
    if (isSwitched) setTriggerValue("switched", shade);
  };
  clearInterval(parentElement.looking);
  parentElement.looking = setInterval(look, 400);
  look();
  return () => clearInterval(parentElement.looking);
}
""",
)

# Streamlit reports no click on a figure in which dragging selects a range.
_clicks = st.components.v2.component(
    "evenkeel.clicks",
    html="<i></i>",
    js="""
export default function ({ data, parentElement, setTriggerValue }) {
  const look = () => {
    const figure = document.querySelector(`.st-key-${data.figure} .js-plotly-plot`);
    if (!figure?.on) return;
    if (!figure.tell) {
      figure.on("plotly_click", ({ points }) => {
        const mark = points.find(({ customdata }) => customdata !== undefined);
        if (mark) figure.tell(mark.customdata);
      });
    }
    figure.tell = (place) => setTriggerValue("clicked", place);
  };
  clearInterval(parentElement.looking);
  parentElement.looking = setInterval(look, 400);
  look();
  return () => clearInterval(parentElement.looking);
}
""",
)


def side() -> Literal["light", "dark"]:
    """Return the theme of the reader's browser."""
    return "dark" if st.context.theme.type == "dark" else "light"


def width() -> int:
    """Return the width of the reader's window in pixels if it is narrow, else 0."""
    return st.session_state.get(_WIDTH, 0)


def follow_window() -> None:
    """Run the page again if the browser's theme changes, or if the window becomes narrow or wide.

    Call this function once on each page.
    """
    _watch(
        key="side",
        data={"width": width(), "most": narrow.MOST},
        on_switched_change=lambda: None,
        on_narrow_change=_turn,
        height=1,
    )


def _turn() -> None:
    st.session_state[_WIDTH] = int(st.session_state["side"].narrow["width"])


def style() -> str:
    """Return CSS that stops the browser from drawing figures wider than a narrow window."""
    figure = "[data-testid=stFullScreenFrame]:has(> [data-testid=stPlotlyChart])"
    return f"{figure}{{min-width:0}}" if width() else ""


# Without this, the browser loads these scripts (megabytes) only when the reader opens a tab with
# charts. The names of the scripts are in Streamlit's own script. They are loaded after the page, so
# that the page need not wait.
_ahead = st.components.v2.component(
    "evenkeel.loaded_ahead",
    html="<i></i>",
    js=r"""
const KINDS = /(PlotlyChart|DataFrame|Selectbox)\.[\w-]+\.js/g;

// Safari has no idle callbacks.
const whenIdle = window.requestIdleCallback ?? setTimeout;

export default function () {
  const own = document.querySelector("script[type=module][src]").src;
  const load = async () => {
    const names = (await (await fetch(own)).text()).match(KINDS) ?? [];
    for (const name of new Set(names)) {
      await import(new URL(name, own));
      await new Promise((done) => whenIdle(done));
    }
  };
  const waiting = setTimeout(() => whenIdle(load), 500);
  return () => clearTimeout(waiting);
}
""",
)


def load_ahead() -> None:
    """Load the JavaScript of charts and tables in advance, while the reader looks at the page."""
    _ahead(key="loaded-ahead", height=1)


def show(
    figure: go.Figure | Ready,
    key: str,
    alt: str,
    select: Callable[[], None] | None = None,
    mode: Mode = "points",
) -> None:
    """Draw a figure. `alt`: what the figure shows, in words, for screen readers.

    `select`: called when the reader selects a mark, or a range if `mode` is `box`.
    """
    if window := width():
        made = figure.to_dict()
        figure = Ready(made | {"layout": narrow.fitted(made["layout"], window)})
    # Streamlit replaces colour placeholders only once for each chart, so each theme needs its own
    # chart.
    config = frame.CONFIG | {"side": side()}
    draw = partial(st.plotly_chart, figure, key=key, config=config, alt=alt)
    if select is None:
        draw()
    else:
        draw(on_select=select, selection_mode=mode)


def follow_clicks(key: str, act: Callable[[Any], None]) -> None:
    """Call `act` with a mark's `customdata` when the reader clicks the mark.

    Only for figures in which dragging selects a range.
    """
    own = f"{key}-clicks"
    _clicks(
        key=own,
        data={"figure": key},
        on_clicked_change=lambda: act(st.session_state[own].clicked),
        height=1,
    )
