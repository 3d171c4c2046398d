// Names come from clusters and listings: every text is set by textContent, never as markup.
const element = (name, className, text, title) => {
  const made = Object.assign(document.createElement(name), { className: className ?? "", textContent: text ?? "" });
  if (title) made.title = title;
  return made;
};

const role = (made, name) => {
  made.setAttribute("role", name);
  return made;
};

const within = (made, ...inner) => {
  made.append(...inner);
  return made;
};

const classes = (...names) => names.filter(Boolean).join(" ");

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

const shareOf = (made, share) => {
  made.style.setProperty("--share", `${100 * (share ?? 0)}%`);
  return made;
};

const bar = (share) => {
  const track = element("span", "track");
  track.append(shareOf(element("i"), share));
  return track;
};

// Parts of a cell, in drawing order.
const PARTS = {
  bar: (share) => [bar(share)],
  bars: (shares) => shares.map((share) => shareOf(element("i"), share)),
  spark: (lags) => [spark(lags)],
  sign: (path) => [sign(path)],
  kind: (kind) => [Object.assign(element("i", `dot ${kind}`), { ariaHidden: "true" })],
  mark: (text) => [element("i", "mark", text)],
  lead: (text) => [element("small", "lead", text)],
  text: (text) => [element("span", "text", text)],
  tag: (text) => [element("small", "tag", text)],
  note: (text) => [element("small", "note", text)],
  was: (text) => [element("small", "was", text)],
  alarm: (text) => [element("b", "alarm", text)],
};

const cellOf = (column, content) => {
  const look = classes(column.kind, column.wide && "wide", content.kind, content.tone, content.className);
  const made = role(element(column.heads ? "th" : "td", look, "", content.title), column.heads ? "rowheader" : "gridcell");
  made.dataset.label = column.label;
  made.append(...Object.entries(PARTS).flatMap(([key, parts]) => (content[key] || content[key] === 0 ? parts(content[key]) : [])));
  if (content.spark) made.setAttribute("aria-label", content.title);
  return made;
};

// The head of an assignor's row: its name, note and warning.
const nameOf = ({ name, title, inUse, note, mark, why, warning, warningTitle }) => {
  const made = role(Object.assign(element("th"), { scope: "row" }), "rowheader");
  made.append(
    element("b", "", name, title),
    element("em", "use", inUse, "the group uses this assignor now"),
    element("small", "words", note, why),
    element("small", "mark", mark, `${note}: ${why}`),
    element("em", "", warning, warningTitle),
  );
  return made;
};

// A narrow table hides columns, so the heading above them exists twice, once for each width.
const overOf = (columns) => {
  const runs = [];
  columns.forEach((column) => {
    if (runs.at(-1)?.[0].over === column.over) runs.at(-1).push(column);
    else runs.push([column]);
  });
  const head = (over, className, colSpan) => (over ? role(Object.assign(element("th", `named ${className}`, over), { scope: "colgroup", colSpan }), "columnheader") : Object.assign(element("td"), { colSpan }));
  return runs.flatMap((run) => {
    const left = run.filter(({ wide }) => !wide).length;
    const { over } = run[0];
    if (left === run.length) return [head(over, "", left)];
    return [head(over, "wide", run.length), ...(left ? [head(over, "narrow", left)] : [])];
  });
};

// A line below the table names the columns that a narrow window hides.
const tellHidden = (table, line) => {
  const tell = () => {
    const heads = [...table.querySelectorAll("tr.columns > th")];
    const row = [...table.tBodies[0].rows].find(({ children, className }) => children.length === heads.length && !/fold/.test(className));
    const hidden = heads.filter((head, place) => getComputedStyle(row?.children[place] ?? head).display === "none").map((head) => head.textContent || "bars");
    const [count, names] = [hidden.length, [...new Set(hidden)].join(", ")];
    line.textContent = count ? `${count} column${count > 1 ? "s" : ""} hidden: ${names}. A wider window shows ${count > 1 ? "them" : "it"}.` : "";
  };
  line.watch?.disconnect();
  line.watch = new ResizeObserver(tell);
  line.watch.observe(line.parentElement);
  tell();
};

export default function ({ data, parentElement, setTriggerValue }) {
  const find = (selector) => parentElement.querySelector(selector);
  const [table, body] = [find("table"), find("tbody")];
  const { columns, sort, foot } = data;

  const asks = (name, text, className, value) => {
    const made = Object.assign(element("button", className, text), { type: "button", disabled: value === null });
    made.onclick = () => setTriggerValue(name, value);
    return made;
  };

  // One tab stop: Left and Right move between headers, Up and Down between rows.
  const headers = () => [...table.querySelectorAll("tr.columns button")];
  const rows = () => [...body.querySelectorAll("tr[data-id]")];
  const stop = (made) => [...headers(), ...rows()].forEach((one) => { one.tabIndex = one === made ? 0 : -1; });
  const target = (key, from) => {
    const seen = headers().filter((one) => one.offsetParent);
    const row = rows().indexOf(from);
    const line = row < 0 ? seen : rows();
    const last = line.length - 1;
    if (key === "Home") return line[0];
    if (key === "End") return line[last];
    if (key === "ArrowDown") return row < 0 ? rows()[0] : line[Math.min(row + 1, last)];
    if (key === "ArrowUp") return row < 1 ? seen[0] ?? from : line[row - 1];
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    return row < 0 && step ? line[Math.min(Math.max(line.indexOf(from) + step, 0), last)] : undefined;
  };
  table.onfocusin = (event) => {
    const made = event.target.closest("tr.columns button, tr[data-id]");
    if (made) stop(made);
  };
  table.onkeydown = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !event.target.matches("tr.columns button, tr[data-id]")) return;
    const made = target(event.key, event.target);
    if (!made) return;
    event.preventDefault();
    made.focus();
  };

  const opens = (made, id, act) => {
    made.dataset.id = id;
    made.onclick = act;
    made.addEventListener("keydown", (event) => {
      if (event.target !== made || (event.key !== "Enter" && event.key !== " ")) return;
      event.preventDefault();
      act();
    });
    return made;
  };

  const head = (column) => {
    const { label, help, first, over, kind, wide, key } = column;
    // A narrow window has no room for the row above.
    const made = role(Object.assign(element("th", classes(kind, wide && "wide"), "", [over, help].filter(Boolean).join(": ")), { scope: "col" }), "columnheader");
    if (over) made.dataset.over = over;
    if (first === undefined || first === null) {
      made.append(element("span", "", label));
      return made;
    }
    const falling = Boolean(sort?.startsWith("-"));
    const isSorted = sort?.replace(/^-/, "") === key;
    if (isSorted) made.setAttribute("aria-sort", falling ? "descending" : "ascending");
    made.append(asks("sorted", label, "", (isSorted ? (falling ? "" : "-") : first) + key));
    return made;
  };

  const cellsOf = (row) => {
    if (row.error) return [Object.assign(role(element("td", row.isGap ? "gap" : "error", row.error), "gridcell"), { colSpan: columns.length - 1 })];
    const shown = row.name === undefined ? columns : columns.slice(1);
    // The first cell of an assignor's row may repeat the name in the row's head.
    return row.cells.slice(row.cells.length - shown.length).map((content, place) => cellOf(shown[place], content));
  };

  const row = (one) => {
    const id = one.id ?? one.name;
    const [isCandidate, picks] = [id === data.candidate, one.picks ?? data.picks];
    const look = classes(one.kind, one.isCurrent && "current", one.isBest && "best-row", isCandidate && "candidate", picks && "picks", one.isOpen && "open");
    const made = role(element("tr", look), "row");
    made.append(...(one.name === undefined ? [] : [nameOf(one)]), ...cellsOf(one));
    if ("candidate" in data ? one.picks !== false : one.isCurrent) made.setAttribute("aria-selected", "candidate" in data ? isCandidate : true);
    if (one.isOpen !== undefined) made.setAttribute("aria-expanded", one.isOpen);
    if (!picks) return made;
    return opens(made, id, () => {
      made.classList.add("opening");
      setTriggerValue("picked", one.isOpen ? "" : id);
    });
  };

  // A cell for each column, because a span would show hidden columns again. The text covers the empty cells.
  const line = (className, ...inner) => {
    const made = role(element("tr", className), "row");
    made.append(...columns.map(({ kind }) => role(element("td", kind), "gridcell")));
    made.firstChild.append(...inner);
    return made;
  };

  const fold = ({ id, text, note, isOpen }) => {
    const made = line(classes("fold", isOpen && "open"), within(element("div"), element("i", "chevron"), element("b", "", text), element("small", "note", note)));
    made.setAttribute("aria-expanded", isOpen);
    return opens(made, `\n${id}`, () => setTriggerValue("folded", id));
  };

  const linesOf = (one) => {
    if (one.fold) return [fold(one.fold)];
    const more = one.isOpen ? [line(classes("inside", one.kind), insideOf(one.inside, setTriggerValue))] : [];
    return [row(one), ...more];
  };

  const footOf = ({ text, page, pages }) => [
    element("span", "where", text),
    ...(pages > 1
      ? [asks("paged", "‹ Earlier", "turn", page > 1 ? page - 1 : null), element("span", "", `page ${page} of ${pages}`), asks("paged", "Next ›", "turn", page < pages ? page + 1 : null)]
      : []),
  ];

  const active = table.getRootNode().activeElement;
  const [focused, header] = [active?.dataset?.id, headers().indexOf(active)];
  const has = (name) => columns.some(({ key }) => key === name);
  role(table, data.isTree ? "treegrid" : "grid").setAttribute("aria-label", data.label);
  table.className = classes(data.look, data.look === "assignors" && has("drains") && "by-history");
  find("colgroup").replaceChildren(...columns.map(({ kind, wide }) => element("col", classes(kind, wide && "wide"))));
  find("tr.over").replaceChildren(...overOf(columns));
  find("tr.columns").replaceChildren(...columns.map(head));
  body.replaceChildren(...data.rows.flatMap(linesOf));
  find(".none").textContent = data.none ?? "";
  find(".foot").replaceChildren(...(foot ? footOf(foot) : []));
  find(".foot").hidden = !foot;
  const again = header >= 0 ? headers()[header] : rows().find((one) => one.dataset.id === focused);
  stop(again ?? rows().find((one) => one.getAttribute("aria-selected") === "true") ?? rows()[0] ?? headers()[0]);
  if (focused !== undefined || header >= 0) again?.focus({ preventScroll: true });
  tellHidden(table, find(".hidden-columns"));

  // The content of an open row covers the cells below it, which are equally high.
  const inside = body.querySelector(".inside > :first-child");
  if (!inside) return undefined;
  const fit = () => { inside.style.height = `${inside.firstChild.offsetHeight}px`; };
  const watch = new ResizeObserver(fit);
  watch.observe(table);
  fit();
  return () => watch.disconnect();
}
