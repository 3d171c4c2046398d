"""The title, and the colours of causes, for both figures of the page Rebalances."""

import plotly.graph_objects as go

from evenkeel.dashboard import theme
from evenkeel.dashboard.parts import frame
from evenkeel.dashboard.parts.labels import plain
from evenkeel.data.rebalances.words import CAUSES


def colour(kind: str) -> str:
    """Return the colour of a cause."""
    member = CAUSES[kind].look.member
    return theme.MUTED if member is None else theme.MEMBERS[member]


def colour_name(kind: str) -> str:
    """Return the CSS name of a cause's colour."""
    member = CAUSES[kind].look.member
    return "muted" if member is None else f"member-{member}"


def add_title(figure: go.Figure, name: str, more: str, left: int, shift: int) -> None:
    """Draw the title `name`, then `more`. `left`, `shift`: pixels left of the plot and above it."""
    text = f"<b>{plain(name)}</b>, {more}"
    frame.label(
        figure,
        text,
        0,
        1,
        xref="paper",
        yref="paper",
        xshift=-left,
        yshift=shift,
        yanchor="bottom",
        size=12.5,
        color=theme.INK,
    )
