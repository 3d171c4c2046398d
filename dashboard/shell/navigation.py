"""The pages: script, title, icon and address of each. The first row has the menu's pages, the
second row the open group's pages.

All switches and links to pages use this list.
"""

from typing import NamedTuple


class Place(NamedTuple):
    """One page.

    Parameters
    ----------
    script : str
        Its file, below the folder of `app.py`, as Streamlit's switches name it.
    title : str
        Its name in the menu.
    icon : str
        The name of a Material symbol.
    url_path : str
        Its address; the address of home is empty.
    is_of_group : bool
        Whether it is a tab of the open group, below the line that names the group.
    is_in_menu : bool
        Whether the page is in the first row.
    has_own_line : bool
        Whether a tab draws this line itself.
    """

    script: str
    title: str
    icon: str
    url_path: str
    is_of_group: bool = False
    is_in_menu: bool = False
    has_own_line: bool = False


HOME = Place("groups/page.py", "Groups", "dns", "", is_in_menu=True)
GROUPS = HOME._replace(url_path="groups", is_in_menu=False)
"""The address that the list of groups once had."""

OPEN = Place("opening/page.py", "Open", "folder_open", "open")
OVERVIEW = Place("overview/page.py", "Overview", "overview", "overview", is_of_group=True)
COMPARE = Place("compare/page.py", "Assignors", "balance", "compare", is_of_group=True)
BEST = Place("best/page.py", "Best", "vertical_align_bottom", "best", is_of_group=True)
MOVES = Place("moves/page.py", "Moves", "move_down", "moves", is_of_group=True)
WHAT_IF = Place("whatif/page.py", "What-if", "experiment", "whatif", is_of_group=True)
TIMELINE = Place(
    "timeline/page.py", "Timeline", "timeline", "timeline", is_of_group=True, has_own_line=True
)
STREAMS = Place("streams/page.py", "Streams", "account_tree", "streams", is_in_menu=True)
REBALANCES = Place(
    "rebalances/page.py",
    "Rebalances",
    "published_with_changes",
    "rebalances",
    is_of_group=True,
    is_in_menu=True,
    has_own_line=True,
)
READINESS = Place("readiness/page.py", "Readiness", "checklist", "readiness", is_in_menu=True)
SHARED = Place("shares/page.py", "Shared", "share", "shared")

PLACES = (
    HOME,
    GROUPS,
    OPEN,
    OVERVIEW,
    COMPARE,
    BEST,
    MOVES,
    WHAT_IF,
    TIMELINE,
    STREAMS,
    REBALANCES,
    READINESS,
    SHARED,
)

TABS = tuple(place for place in PLACES if place.is_of_group)
"""The tabs of a group, in their order; a group opens with the first one."""
