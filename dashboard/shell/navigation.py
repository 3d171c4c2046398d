"""The pages in the order of the menu: script, title, icon and address of each.

Every switch to a page and every link to one goes through this list.
"""

from typing import NamedTuple


class Place(NamedTuple):
    """Where a page is.

    Parameters
    ----------
    script : str
        Its file, below the folder of `app.py`, as Streamlit's switches name it.
    title : str
        Its name in the menu.
    icon : str
        The name of a Material symbol.
    url_path : str
        Its address; the address of the first page is empty.
    is_of_group : bool
        Whether it is about the open group, below one line that names the group.
    """

    script: str
    title: str
    icon: str
    url_path: str
    is_of_group: bool = False


START = Place("opening/page.py", "Start", "home", "")
GROUPS = Place("groups/page.py", "Groups", "dns", "groups")
OVERVIEW = Place("overview/page.py", "Overview", "overview", "overview", is_of_group=True)
COMPARE = Place("compare/page.py", "Compare", "balance", "compare", is_of_group=True)
BEST = Place("best/page.py", "Best", "vertical_align_bottom", "best", is_of_group=True)
MOVES = Place("moves/page.py", "Moves", "move_down", "moves", is_of_group=True)
WHAT_IF = Place("whatif/page.py", "What-if", "experiment", "whatif", is_of_group=True)
TIMELINE = Place("timeline/page.py", "Timeline", "timeline", "timeline")
REBALANCES = Place("rebalances/page.py", "Rebalances", "published_with_changes", "rebalances")
STREAMS = Place("streams/page.py", "Streams", "account_tree", "streams")
READINESS = Place("readiness/page.py", "Readiness", "checklist", "readiness")
SHARED = Place("shares/page.py", "Shared", "share", "shared")

PLACES = (
    START,
    GROUPS,
    OVERVIEW,
    COMPARE,
    BEST,
    MOVES,
    WHAT_IF,
    TIMELINE,
    REBALANCES,
    STREAMS,
    READINESS,
    SHARED,
)
