"""The list of pages: script, title, icon and address of each page. The first row of the menu has
the general pages, the second row the pages of the open group.

Code that switches or links to a page takes the page from this list.
"""

from typing import NamedTuple


class Place(NamedTuple):
    """One page.

    Parameters
    ----------
    script : str
        Path of the page's file, relative to the folder of `app.py`, as `st.switch_page` needs it.
    title : str
        Name of the page in the menu.
    icon : str
        Name of a Material symbol.
    url_path : str
        Address of the page, empty for home.
    is_of_group : bool
        The page is about the open group. It is a tab below the line with the group's name.
    is_in_menu : bool
        The page is in the first row.
    has_own_line : bool
        The page draws the line with the group's name; other tabs get the line before the page is
        drawn.
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
"""The former address of the list of groups."""

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
"""The tabs of a group, in order. A group opens with the first tab."""
