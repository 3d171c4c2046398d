"""The first screen of each page has at most 200 words without digits, home 90 but for its
groups.
"""

import pytest

from tests.dashboard.browser.test_look import PAGES, WIDE

_GROUP = "cluster=example&group=invoice-writer"
_PATHS = {name: PAGES[name] for name in ("compare", "moves", "streams")} | {
    "rebalances of a cluster": "/rebalances?cluster=example",
    "rebalances of a group": "/rebalances?cluster=example&group=notifier",
    "readiness of a cluster": "/readiness?cluster=example",
    **{
        f"{tab} of a stalled group": f"/{tab}?{_GROUP}"
        for tab in ("overview", "compare", "best", "moves", "whatif", "timeline")
    },
}
_MOST, _MOST_OF_HOME = 200, 90

_WORDS = """leftOut => {
    const words = [];
    const read = root => root.childNodes.forEach(node => {
        if (node.nodeType === Node.ELEMENT_NODE) {
            const icons = '[data-testid=stIconMaterial], [role=img][aria-label$=icon]';
            if (node.matches(`style, script, title, ${icons}, ${leftOut}`)) return;
            if (node.shadowRoot) read(node.shadowRoot);
            read(node);
        }
        if (node.nodeType !== Node.TEXT_NODE || !node.textContent.trim()) return;
        const range = document.createRange();
        range.selectNodeContents(node);
        const isSeen = [...range.getClientRects()].some(({ width, height, top, bottom, left,
            right }) =>
            width > 1 && height > 1 && top < innerHeight && bottom > 0 && left < innerWidth &&
                right > 0);
        if (isSeen) words.push(...node.textContent.split(/[ \\n]+/).filter(word =>
            /\\p{L}/u.test(word) && !/\\d/.test(word)));
    });
    read(document.body);
    return words;
}"""
"""Words that a window shows but for those of some elements; texts below its edge and those for
screen readers are left out. A number and its unit are no words.
"""


@pytest.mark.parametrize(
    "look", [(path, WIDE, False) for path in _PATHS.values()], ids=_PATHS, indirect=True
)
def test_the_first_screen_has_at_most_200_words(look):
    words = look.evaluate(_WORDS, "noscript")

    assert "Groups" in words
    assert len(words) <= _MOST, " ".join(words)


@pytest.mark.parametrize("look", [("/?example=cluster", WIDE, False)], indirect=True)
def test_home_has_at_most_90_words_but_for_its_groups(look):
    words = look.evaluate(_WORDS, ".line, tbody")

    assert "Alerts" in words
    assert len(words) <= _MOST_OF_HOME, " ".join(words)
