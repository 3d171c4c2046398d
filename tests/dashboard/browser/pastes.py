"""Paste an input of every tool and take what the page makes of it, to be looked at:
`python -m tests.dashboard.browser.pastes FOLDER [NAME …]`, a minute.
"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page

from tests.dashboard.browser.server import chromium, dashboard, settle
from tests.data.sources.judge import inputs

_SIZE = {"width": 1440, "height": 900}
_PATIENCE_MS = 60_000


def paste(page: Page, files: dict[str, str]) -> None:
    """Give the page one text, or several files, and press Read."""
    page.goto("/open")
    settle(page)
    texts = [text.encode("latin-1") for text in files.values()]
    if len(texts) == 1 and b"\0" not in texts[0]:
        page.get_by_label("Listing", exact=True).fill(texts[0].decode())
    else:
        uploads = zip(files, texts, strict=True)
        page.locator("input[type=file]").first.set_input_files(
            [{"name": name, "mimeType": "text/plain", "buffer": text} for name, text in uploads]
        )
        settle(page)
    page.get_by_role("button", name="Read", exact=True).click()
    page.wait_for_timeout(1_500)
    settle(page)


def main(into: Path, names: list[str]) -> None:
    """Take a picture of each input, or of those with these names."""
    into.mkdir(parents=True, exist_ok=True)
    cases = [case for case in inputs() if not names or case["name"] in names]
    with (
        tempfile.TemporaryDirectory() as folder,
        dashboard(Path(folder)) as address,
        chromium() as browser,
    ):
        for case in cases:
            context = browser.new_context(viewport=_SIZE, base_url=address)
            page = context.new_page()
            page.set_default_timeout(_PATIENCE_MS)
            paste(page, case["files"])
            page.screenshot(path=str(into / f"{case['name']}.png"), full_page=True)
            context.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
