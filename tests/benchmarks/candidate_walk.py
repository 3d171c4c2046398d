"""How often the candidate changes by itself on a busy machine: `python -m
tests.benchmarks.candidate_walk --walks 50 --busy 4`.

Each walk goes from Assignors to Moves, What-if and back, and clicks the next page as soon as its
link is there, without waiting for the last one. Other processes keep the machine busy, so that runs
of a page overlap.
"""

import argparse
import os
import tempfile
from collections import Counter
from multiprocessing import Process
from pathlib import Path
from random import Random

from playwright.sync_api import Page

from tests.dashboard.browser.server import chromium, dashboard, drawn

_ADDRESS = "/compare?sample=one-hot-partition&candidate={}"
_WALK = ("Moves", "What-if", "Assignors")
_CHOSEN = ("lag", "roundrobin", "sticky", "cooperative-sticky")


def main() -> None:
    """Print how many walks ended with the candidate that they began with."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--walks", type=int, default=50)
    parser.add_argument("--busy", type=int, default=4, help="processes that only count")
    options = parser.parse_args()
    busy = [Process(target=_count, daemon=True) for _ in range(options.busy)]
    with (
        tempfile.TemporaryDirectory() as folder,
        dashboard(Path(folder)) as address,
        chromium() as browser,
    ):
        for one in busy:
            one.start()
        ended = Counter()
        for number in range(options.walks):
            page = browser.new_context(
                base_url=address, viewport={"width": 1440, "height": 900}
            ).new_page()
            page.set_default_timeout(120_000)
            asked, found = _walked(page, Random(number))
            ended["kept" if asked == found else f"{asked} became {found}"] += 1
            print(f"walk {number + 1}: {dict(ended)}", flush=True)
            page.context.close()
    for one in busy:
        one.kill()
    print(f"{options.walks} walks beside {options.busy} busy processes: {dict(ended)}")


def _walked(page: Page, random: Random) -> tuple[str, str]:
    asked = random.choice(_CHOSEN)
    page.goto(_ADDRESS.format(asked))
    for name in _WALK:
        page.wait_for_timeout(random.choice([0, 50, 200, 600, 1500]))
        page.get_by_role("link", name=name, exact=True).first.click()
    page.get_by_text("Worst member under").first.wait_for()
    drawn(page)
    return asked, page.get_by_role("combobox", name="Candidate").input_value()


def _count() -> None:
    parent, number = os.getppid(), 0
    while os.getppid() == parent:
        number += 1


if __name__ == "__main__":
    main()
