// Streamlit makes a step for the Back button of every address that a page writes. What nobody has clicked or typed for is none: a page that completes
// its address, a group that is read again. Another group out of a list is one, though a live group's address tells it by its reading alone.
if (!window.evenkeelSteps) {
  window.evenkeelSteps = true;
  let isChosen = false;
  let isListed = false;
  let at, typedIn;
  for (const kind of ["pointerdown", "keydown"]) {
    addEventListener(kind, ({ target }) => {
      at = target;
      if (target !== typedIn) typedIn = undefined;
      // A search while it is typed is one step.
      isChosen = !typedIn;
      isListed = Boolean(target.closest?.('[role="option"], [role="combobox"]'));
    }, true);
  }
  addEventListener("popstate", () => { isChosen = false; typedIn = undefined; });
  const push = history.pushState.bind(history);
  const without = (url) => {
    const { pathname, searchParams } = new URL(url, location);
    searchParams.delete("opened");
    return `${pathname}?${searchParams}`;
  };
  let stepped;
  history.pushState = (state, title, url) => {
    const isOtherPage = new URL(url, location).pathname !== location.pathname;
    // Streamlit writes the choices for another page to the page that is left, then goes: both are one step.
    const isGoing = isOtherPage && stepped === location.href && new URL(url, location).search === location.search;
    const isStep = !isGoing && (isOtherPage || (isChosen && (isListed ? new URL(url, location).href !== location.href : without(url) !== without(location))));
    if (isStep && at?.matches?.('input[type="text"]:not([role])')) typedIn = at;
    // A run that began before the last choice writes the same address once more: that is not what was chosen since.
    if (isStep || new URL(url, location).href !== location.href) isChosen = false;
    stepped = isStep && !isOtherPage ? new URL(url, location).href : undefined;
    (isStep ? push : history.replaceState.bind(history))(state, title, url);
    // Streamlit draws the next page into the same container, scrolled as the last page was.
    if (isOtherPage) document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0);
  };
}
