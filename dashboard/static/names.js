// Names for screen readers where Streamlit gives none, a tab stop for whatever a narrow window scrolls, and key O.
// In a block: Streamlit may run it twice in one scope.
{
const named = (made, name, role) => {
  if (name && made.getAttribute("aria-label") !== name) made.setAttribute("aria-label", name);
  if (role && !made.hasAttribute("role")) made.setAttribute("role", role);
};

const SCROLLS = ".stElementContainer:has([data-testid=stPlotlyChart]), .ends, .restarts, .settings-grid, .moments, pre";

const name = () => {
  // The table's name stands on the frame around it; the canvas and the scroller inside are what the keyboard reaches.
  document.querySelectorAll("[data-testid=stDataFrameResizable]").forEach((frame) =>
    frame.querySelectorAll("canvas[tabindex], .dvn-scroller").forEach((inner) => named(inner, frame.getAttribute("aria-label") ?? "Table", "group")));
  // "Open" stands on every card: the title of its card tells which one it opens.
  document.querySelectorAll(".card-title").forEach((title) => {
    const isCard = (one) => one.querySelector("[class*=st-key-open-] button");
    let card = title.parentElement;
    while (card && !isCard(card)) card = card.parentElement;
    const opens = card && card.querySelectorAll(".card-title").length === 1 && isCard(card);
    if (opens) named(opens, `Open: ${title.textContent}`);
  });
  document.querySelectorAll(".st-key-tabs [class*=st-key-tab-] a").forEach((tab) => {
    if (tab.pathname !== location.pathname) return tab.removeAttribute("aria-current");
    tab.setAttribute("aria-current", "page");
    // A small screen shows the tab of the page. Not scrollIntoView: it would scroll the page too.
    const row = tab.closest(".st-key-tabs");
    const seen = `${tab.pathname} ${row.scrollWidth}`;
    if (row.seen !== seen) row.scrollLeft = tab.getBoundingClientRect().right - row.getBoundingClientRect().right + row.scrollLeft + row.clientWidth / 2;
    row.seen = seen;
  });
  // A dialog opens with the focus in the box for a listing; later runs leave the focus where it is.
  const box = document.querySelector("[role=dialog] [class*=paste] textarea");
  if (box && !box.hasOpened) {
    box.hasOpened = true;
    box.focus();
  }
  // Alerts open below the findings, which may fill a small screen.
  const panel = document.querySelector(".st-key-alerts-panel");
  if (panel && !panel.hasOpened) {
    panel.hasOpened = true;
    if (panel.getBoundingClientRect().top > innerHeight / 2) panel.scrollIntoView();
  }
  document.querySelectorAll(SCROLLS).forEach((one) => {
    if (one.scrollWidth <= one.clientWidth) {
      if (one.scrolls) one.removeAttribute("tabindex");
      one.scrolls = false;
      return;
    }
    one.scrolls = true;
    one.tabIndex = 0;
    named(one, one.querySelector("[aria-label]")?.getAttribute("aria-label") ?? "Scrolls sideways", "group");
  });
};

// O goes to the page's own box; on other pages Streamlit opens the dialog, and Esc returns to the focused button.
const goToBox = (event) => {
  const isTyping = event.composedPath()[0].matches?.("input, textarea, select, [contenteditable]");
  if (event.key !== "o" || event.ctrlKey || event.metaKey || event.altKey || isTyping || document.querySelector("[role=dialog]")) return;
  const box = document.querySelector(".st-key-paste textarea");
  if (box) event.preventDefault();
  (box ?? document.querySelector(".st-key-open button"))?.focus();
};

// One for the life of the page: Streamlit runs this again with every page. While the page waits for its names, its root says so.
if (!window.evenkeelNames) {
  const root = document.documentElement.dataset;
  const soon = () => {
    if ("unnamed" in root) return;
    root.unnamed = "";
    setTimeout(() => { window.evenkeelNames(); delete root.unnamed; }, 100);
  };
  new MutationObserver(soon).observe(document.body, { childList: true, subtree: true });
  window.addEventListener("resize", soon);
  document.addEventListener("keydown", goToBox, true);
}
window.evenkeelNames = name;
name();
}
