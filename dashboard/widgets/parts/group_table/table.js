// Names come from clusters and listings: every text is set by textContent, never as markup.
const element = (name, className, text) => Object.assign(document.createElement(name), { className: className ?? "", textContent: text ?? "" });

const role = (made, name) => {
  made.setAttribute("role", name);
  return made;
};

const bar = (share) => {
  const track = element("span", "track");
  track.append(element("i"));
  track.firstChild.style.width = `${100 * share}%`;
  return track;
};

const drawing = (name, attributes, ...inner) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.append(...inner);
  return made;
};

const sign = (path) => drawing("svg", { class: "sign", viewBox: "0 0 12 12", "aria-hidden": "true" }, drawing("path", { d: path }));

const spark = ({ line, area, dot }) =>
  drawing(
    "svg",
    { class: "drawn", viewBox: "0 0 96 20", "aria-hidden": "true" },
    drawing("path", { class: "area", d: area }),
    drawing("path", { class: "line", d: line }),
    ...(dot ? [drawing("circle", { cx: dot[0], cy: dot[1], r: 2 })] : []),
  );

const parts = ({ bar: share, spark: lags, sign: path, mark, kind, lead, text, tag, note, alarm }) => [
  ...(share === undefined ? [] : [bar(share)]),
  ...(lags ? [spark(lags)] : []),
  ...(path ? [sign(path)] : []),
  ...(kind ? [Object.assign(element("i", `dot ${kind}`), { ariaHidden: "true" })] : []),
  ...(mark ? [element("i", "mark", mark)] : []),
  ...(lead ? [element("small", "lead", lead)] : []),
  ...(text ? [element("span", "text", text)] : []),
  ...(tag ? [element("small", "tag", tag)] : []),
  ...(note ? [element("small", "note", note)] : []),
  ...(alarm ? [element("b", "alarm", alarm)] : []),
];

const cell = (column, content) => {
  const made = role(element(column.key === "group" ? "th" : "td", `${column.key} ${content.kind ?? ""} ${content.tone ?? ""}`), column.key === "group" ? "rowheader" : "gridcell");
  made.append(...parts(content));
  if (content.title) made.title = content.title;
  if (content.spark) made.setAttribute("aria-label", content.title);
  return made;
};

export default function ({ data, parentElement, setTriggerValue }) {
  const find = (selector) => parentElement.querySelector(selector);
  const body = find("tbody");
  const tip = find(".tip");
  const hide = () => { tip.hidden = true; };
  const tell = (text, place) => {
    const { left, bottom } = place.getBoundingClientRect();
    const { left: from, top } = tip.parentElement.getBoundingClientRect();
    Object.assign(tip, { textContent: text, hidden: false });
    Object.assign(tip.style, { left: `${left - from + 8}px`, top: `${bottom - top - 2}px` });
  };
  const focusable = () => [...body.querySelectorAll("[tabindex]")];
  const asks = (name, text, className, value) => {
    const made = Object.assign(element("button", className, text), { type: "button", disabled: value === null });
    made.onclick = () => setTriggerValue(name, value);
    return made;
  };

  const over = () => data.columns.reduce((headers, { over: text }) => {
    const last = headers.at(-1);
    if (last && last.textContent === text) last.colSpan += 1;
    else headers.push(role(element("th", text ? "named" : "", text), "columnheader"));
    return headers;
  }, []);

  const head = ({ key, label, help, first, over: part }) => {
    const made = role(element("th", key), "columnheader");
    // A narrow window has no room for the row above.
    made.title = [part, help].filter(Boolean).join(": ");
    if (first === null) {
      made.append(element("span", "", label));
      return made;
    }
    const sorted = data.sort?.replace(/^-/, "") === key;
    const falling = Boolean(data.sort?.startsWith("-"));
    if (sorted) made.setAttribute("aria-sort", falling ? "descending" : "ascending");
    const button = asks("sorted", label, "", (sorted ? (falling ? "" : "-") : first) + key);
    made.append(button);
    return made;
  };

  const opens = (made, act) => {
    made.onclick = act;
    made.tabIndex = -1;
    made.onfocus = () => focusable().forEach((one) => { one.tabIndex = one === made ? 0 : -1; });
    made.onkeydown = (event) => {
      const all = focusable();
      const place = { ArrowDown: all.indexOf(made) + 1, ArrowUp: all.indexOf(made) - 1, Home: 0, End: all.length - 1 }[event.key];
      if (place === undefined && event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      if (place === undefined) act();
      else all[Math.min(Math.max(place, 0), all.length - 1)].focus();
    };
    return made;
  };

  const row = ({ id, cells, isCurrent }) => {
    const made = role(element("tr", isCurrent ? "current" : ""), "row");
    made.dataset.id = id;
    if (isCurrent) made.setAttribute("aria-selected", "true");
    made.append(...cells.map((content, index) => cell(data.columns[index], content)));
    const told = cells.findIndex((content) => content.tip);
    if (told >= 0) {
      const { tip: text, tone } = cells[told];
      const place = made.children[told];
      made.classList.add(`is-${tone}`);
      place.onmouseenter = () => tell(text, place);
      place.onmouseleave = hide;
      made.addEventListener("focus", () => { if (made.matches(":focus-visible")) tell(text, place); });
      made.addEventListener("blur", hide);
      made.setAttribute("aria-description", text);
    }
    return opens(made, () => {
      made.classList.add("opening");
      setTriggerValue("opened", id);
    });
  };

  const reason = ({ id, why }) => {
    const made = role(element("tr", "why"), "row");
    made.append(...data.columns.map(({ key }) => role(element("td", key), "gridcell")));
    const said = element("div");
    said.append(...why.map(({ text, since }) => Object.assign(asks("explained", text, "", [id, since]), { title: since === null ? "Compare shows the members" : "Timeline shows since when" })));
    made.firstChild.append(said);
    return made;
  };

  const fold = ({ text, note, isOpen }) => {
    const made = role(element("tr", `fold ${isOpen ? "open" : ""}`), "row");
    made.dataset.id = "\n";
    made.setAttribute("aria-expanded", isOpen);
    // A cell for each column, since a span would bring hidden ones back; the text runs over the empty ones.
    made.append(...data.columns.map(({ key }) => role(element("td", key), "gridcell")));
    made.firstChild.append(element("i", "chevron"), element("b", "", text), element("small", "note", note));
    return opens(made, () => setTriggerValue("folded", !isOpen));
  };

  const steady = ({ text, note }) => {
    const made = role(element("tr", "steady"), "row");
    made.append(...data.columns.map(({ key }) => role(element("td", key), "gridcell")));
    made.firstChild.append(element("b", "", text), element("small", "note", note));
    return made;
  };

  const draw = () => {
    const focused = body.getRootNode().activeElement?.dataset?.id;
    const rows = data.rows.map(row);
    if (data.fold) rows.splice(data.fold.at, 0, fold(data.fold));
    if (data.steady) rows.splice(data.steady.at, 0, steady(data.steady));
    rows.forEach((made) => {
      const { why } = data.rows.find(({ id }) => id === made.dataset.id) ?? {};
      if (why?.length) made.told = reason({ id: made.dataset.id, why });
    });
    hide();
    find("table").setAttribute("aria-label", data.label);
    find("table").classList.toggle("full", data.columns.some(({ key }) => key === "type"));
    find("table").classList.toggle("judged", data.columns.some(({ key }) => key === "verdict"));
    find("colgroup").replaceChildren(...data.columns.map(({ key }) => element("col", key)));
    find(".over").replaceChildren(...over());
    find(".columns").replaceChildren(...data.columns.map(head));
    body.replaceChildren(...rows.flatMap((made) => (made.told ? [made, made.told] : [made])));
    find(".none").textContent = data.none;
    const { text, page, pages } = data.foot;
    const turn = pages > 1
      ? [asks("paged", "‹ Earlier", "turn", page > 1 ? page - 1 : null), element("span", "", `page ${page} of ${pages}`), asks("paged", "Next ›", "turn", page < pages ? page + 1 : null)]
      : [];
    find(".foot").replaceChildren(element("span", "where", text), ...turn);
    const again = focusable().find((one) => one.dataset.id === focused);
    if (again) again.focus({ preventScroll: true });
    else if (focusable().length) focusable()[0].tabIndex = 0;
    tellHidden(find("table"));
  };
  draw();
}
