"""axe-core on a page as it is drawn."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.dashboard.browser.server import named


def serious_faults(page: Page) -> list[tuple[str, str]]:
    """Return (rule, begin of the element) for each fault that axe calls serious or critical."""
    named(page)
    found = Axe().run(page).response["violations"]
    return [
        (one["id"], node["html"][:200])
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]
