// Names come from listings: every text is set by textContent, never as markup.
const element = (name, className, text) => Object.assign(document.createElement(name), { className, textContent: text ?? "" });

const sorted = (rows, column, ascending) => {
  const [first, ...others] = rows;
  const rest = others.filter((row) => !row.isBest);
  const value = (row) => row.cells[column]?.sort ?? null;
  const then = (row) => row.cells[column]?.then ?? 0;
  const compare = (a, b) => (value(a) === null) - (value(b) === null) || (value(a) > value(b)) - (value(a) < value(b)) || then(a) - then(b);
  rest.sort((a, b) => (value(a) === null || value(b) === null || ascending ? compare(a, b) : compare(b, a)));
  return [first, ...rest, ...others.filter((row) => row.isBest)];
};

const titled = (made, title) => {
  if (title) made.title = title;
  return made;
};

const cell = ({ text, className, bar, title }) => {
  const made = titled(element("td", bar === undefined ? className : "bar", text), title);
  if (bar === undefined || bar === null) return made;
  made.append(element("span", ""));
  made.firstChild.append(element("i", ""));
  made.firstChild.firstChild.style.width = `${100 * bar}%`;
  return made;
};

const beside = (row) => [
  titled(element("em", "use", row.inUse), "the group uses this assignor now"),
  titled(element("small", "words", row.note), row.why),
  titled(element("small", "mark", row.mark), `${row.note}: ${row.why}`),
  titled(element("em", "", row.warning), row.warningTitle),
];

export default function ({ data, parentElement, setTriggerValue }) {
  const table = parentElement.querySelector("table");
  const place = data.columns.findIndex(({ key }) => key && key === data.sort?.replace(/^-/, ""));
  const state = { column: place < 0 ? null : place, ascending: !data.sort?.startsWith("-") };

  const narrowed = (made, index) => {
    made.classList.toggle("wide", Boolean(data.columns[index + 1].wide));
    return made;
  };

  const body = () => {
    const rows = state.column === null ? data.rows : sorted(data.rows, state.column, state.ascending);
    return rows.map((row, index) => {
      const made = element("tr", index === 0 ? "current" : row.isBest ? "best-row" : row.name === data.candidate ? "candidate" : "");
      const name = element("th", "");
      name.scope = "row";
      name.append(titled(element("b", "", row.name), row.title), ...beside(row));
      made.append(name, ...(row.error ? [Object.assign(element("td", row.isGap ? "gap" : "error", row.error), { colSpan: data.columns.length - 1 })] : row.cells.slice(1).map(cell).map(narrowed)));
      if (index === 0) return made;
      const pick = () => setTriggerValue("picked", row.name);
      made.setAttribute("aria-selected", row.name === data.candidate);
      made.onclick = pick;
      made.onkeydown = (event) => {
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); pick(); }
      };
      return made;
    });
  };

  const head = () => data.columns.map(({ label, help, bar, wide }, index) => {
    const made = element("th", bar ? "bar" : wide ? "wide" : "");
    made.scope = "col";
    if (bar) return made;
    if (index === state.column) made.setAttribute("aria-sort", state.ascending ? "ascending" : "descending");
    const button = Object.assign(element("button", "", label), { type: "button", title: help });
    button.onclick = () => {
      Object.assign(state, { ascending: index === state.column ? !state.ascending : true, column: index });
      draw();
      setTriggerValue("sorted", (state.ascending ? "" : "-") + data.columns[index].key);
    };
    made.append(button);
    return made;
  });

  // A narrow table leaves bars and wide columns out.
  const over = (title, columns) => {
    const narrow = columns.filter(({ bar, wide }) => !bar && !wide).length;
    const made = (className, colSpan) => Object.assign(element("th", className, title), { colSpan, scope: "colgroup" });
    return narrow === columns.length ? [made("", narrow)] : [made("wide", columns.length), ...(narrow ? [made("narrow", narrow)] : [])];
  };

  const groups = () => {
    const runs = [];
    data.columns.slice(1).forEach((column) => {
      if (runs.at(-1)?.[0].over === column.over) runs.at(-1).push(column);
      else runs.push([column]);
    });
    return [element("td", ""), ...runs.flatMap((run) => over(run[0].over, run))];
  };

  // One tab stop: Left and Right walk through the headers, Up and Down through the rows.
  const headers = () => [...table.querySelectorAll("tr.columns button")].filter((one) => one.offsetParent);
  const rows = () => [...table.querySelectorAll("tbody tr[aria-selected]")];
  const stop = (made) => [...table.querySelectorAll("tr.columns button"), ...rows()].forEach((one) => { one.tabIndex = one === made ? 0 : -1; });
  const target = (key, from) => {
    const row = rows().indexOf(from);
    const line = row < 0 ? headers() : rows();
    const last = line.length - 1;
    if (key === "Home") return line[0];
    if (key === "End") return line[last];
    if (key === "ArrowDown") return row < 0 ? rows()[0] : line[Math.min(row + 1, last)];
    if (key === "ArrowUp") return row < 1 ? headers()[0] : line[row - 1];
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    return row < 0 && step ? line[Math.min(Math.max(line.indexOf(from) + step, 0), last)] : undefined;
  };
  table.onfocusin = ({ target: made }) => stop(made.closest("button, tr"));
  table.onkeydown = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const made = target(event.key, event.target);
    if (!made) return;
    event.preventDefault();
    made.focus();
  };

  const draw = () => {
    const active = table.getRootNode().activeElement;
    const focused = active?.querySelector?.("th b")?.textContent;
    const header = [...table.querySelectorAll("tr.columns button")].indexOf(active);
    table.classList.toggle("by-history", data.columns.some(({ key }) => key === "drains"));
    table.querySelector("colgroup").replaceChildren(...data.columns.map(({ bar }, index) => element("col", index ? (bar ? "bar" : "") : "name")));
    table.querySelector("tr.groups").replaceChildren(...groups());
    table.querySelector("tr.columns").replaceChildren(...head());
    table.querySelector("tbody").replaceChildren(...body());
    tellHidden(table);
    stop(rows().find((row) => row.getAttribute("aria-selected") === "true") ?? rows()[0] ?? headers()[0]);
    if (header >= 0) table.querySelectorAll("tr.columns button")[header].focus();
    if (focused) [...table.querySelectorAll("tbody tr")].find((row) => row.querySelector("b").textContent === focused)?.focus();
  };
  draw();
}
