// Names come from listings: every text is set by textContent, never as markup.
const element = (name, className, text) => Object.assign(document.createElement(name), { className, textContent: text ?? "" });

const titled = (made, title) => {
  if (title) made.title = title;
  return made;
};

const classOf = ({ kind, wide }, ...more) => [kind, wide && "wide", ...more].filter(Boolean).join(" ");

const cellOf = ({ text, className, bars, was, title }, column) => {
  const made = titled(element("td", classOf(column, className), text), title);
  for (const share of bars ?? []) {
    const bar = element("i", "");
    bar.style.setProperty("--share", `${100 * (share ?? 0)}%`);
    made.append(bar);
  }
  if (was) made.append(element("small", "was", was));
  return made;
};

const nameOf = (row) => {
  const made = element("th", "");
  made.scope = "row";
  made.append(
    titled(element("b", "", row.name), row.title),
    titled(element("small", "use", row.inUse), "the group uses this assignor now"),
    titled(element("small", "", row.note), row.why),
    titled(element("em", "", row.warning), row.warningTitle),
  );
  return made;
};

// A narrow table leaves columns out: the name above them stands there twice, once for each width.
const groupsOf = (columns) => {
  const groups = [];
  columns.forEach(({ over, wide }) => {
    if (groups.at(-1)?.over !== over) groups.push({ over, span: 0, left: 0 });
    groups.at(-1).span += 1;
    groups.at(-1).left += wide;
  });
  const head = (over, className, colSpan) => Object.assign(element("th", className, over), { scope: "colgroup", colSpan });
  const heads = ({ over, span, left }) => (left ? [head(over, "wide", span), head(over, "narrow", span - left)] : [head(over, "", span)]);
  return [element("td", ""), ...groups.flatMap(heads)];
};

export default function ({ data, parentElement, setTriggerValue }) {
  const table = parentElement.querySelector("table");
  table.setAttribute("aria-label", data.label);
  const focused = table.getRootNode().activeElement?.querySelector?.("th b")?.textContent;

  // The table is one tab stop; arrow keys walk its rows.
  const stopAt = (row) => [...table.tBodies[0].rows].forEach((one) => { one.tabIndex = one === row ? 0 : -1; });

  const rowOf = (row) => {
    const picks = data.picks && row.name !== data.candidate;
    const made = element("tr", [row.inUse && "current", row.name === data.candidate && "candidate", picks && "picks"].filter(Boolean).join(" "));
    made.append(nameOf(row));
    if (row.error) made.append(Object.assign(element("td", row.isGap ? "gap" : "error", row.error), { colSpan: data.columns.length }));
    else made.append(...row.cells.map((cell, place) => cellOf(cell, data.columns[place])));
    made.setAttribute("aria-selected", row.name === data.candidate);
    if (!data.picks) return made;
    const pick = () => setTriggerValue("picked", row.name);
    made.onclick = pick;
    made.onfocus = () => stopAt(made);
    made.onkeydown = (event) => {
      const all = [...made.parentElement.rows];
      const place = { ArrowDown: all.indexOf(made) + 1, ArrowUp: all.indexOf(made) - 1, Home: 0, End: all.length - 1 }[event.key];
      if (place === undefined && event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      if (place === undefined) pick();
      else all[Math.min(Math.max(place, 0), all.length - 1)].focus();
    };
    return made;
  };

  const heads = data.columns.map((column) => titled(Object.assign(element("th", classOf(column), column.label), { scope: "col" }), column.help));
  table.querySelector("tr.groups").replaceChildren(...groupsOf(data.columns));
  table.querySelector("tr.columns").replaceChildren(Object.assign(element("th", "", "Assignor"), { scope: "col" }), ...heads);
  table.querySelector("tbody").replaceChildren(...data.rows.map(rowOf));
  tellHidden(table);
  const rows = [...table.tBodies[0].rows];
  if (data.picks && rows.length) stopAt(rows.find((row) => row.classList.contains("candidate")) ?? rows[0]);
  if (focused) rows.find((row) => row.querySelector("b").textContent === focused)?.focus();
}
