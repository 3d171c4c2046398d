"""The page on which what is open is shown first."""

from dashboard.loading.streams import applications
from dashboard.widgets.opening import opened

COMPARE, STREAMS = "app_pages/compare.py", "app_pages/streams.py"


def first_page() -> str:
    """Return the script of Streams for an application, else that of Compare."""
    group = opened.current()
    return STREAMS if group and applications.is_application(group) else COMPARE
