// Names come from applications: every text is set by textContent, never as markup.
const element = (name, className, text) => Object.assign(document.createElement(name), { className, textContent: text ?? "" });

const tileOf = ({ task, kind, note, share, title }) => {
  const made = Object.assign(element("span", `tile ${kind}${kind === "came" && note ? " moving" : ""}`), { title });
  made.dataset.task = task;
  made.append(element("b", "", task));
  if (note) made.append(element("i", "", note));
  if (kind === "warmup") made.style.setProperty("--share", `${100 * share}%`);
  made.setAttribute("aria-label", title);
  made.setAttribute("role", "img");
  return made;
};

const cellOf = ({ count, note, tiles }, column) => {
  const made = element("td", `of-${column}`);
  const list = element("div", "list");
  if (count) list.append(element("b", "count", count));
  list.append(...tiles.map(tileOf));
  if (note) list.append(element("small", note.includes("behind") ? "worse" : "", note));
  made.append(list);
  return made;
};

const rowsOf = (instance, columns) =>
  instance.lines.map((line, place) => {
    const row = element("tr", place ? "" : "first");
    if (!place) {
      const name = Object.assign(element("th", "instance"), { rowSpan: instance.lines.length, scope: "rowgroup", title: instance.name });
      name.append(element("b", "", instance.name), element("small", "", instance.note));
      row.append(name);
    }
    row.append(element("td", "thread", line.name), ...columns.map(({ key }) => cellOf(line.cells[key], key)));
    return row;
  });

// The rows of a folded part are made when it is opened: there may be a thousand.
const partOf = ({ title, is_open: isOpen, instances }, columns) => {
  const body = element("tbody", "");
  const fill = () => body.append(...instances.flatMap((instance) => rowsOf(instance, columns)));
  if (title) {
    const row = element("tr", "fold");
    const cell = Object.assign(element("td", ""), { colSpan: columns.length + 2 });
    const button = Object.assign(element("button", "", title), { type: "button" });
    button.setAttribute("aria-expanded", isOpen);
    button.onclick = () => {
      const opens = button.getAttribute("aria-expanded") === "false";
      button.setAttribute("aria-expanded", opens);
      if (opens) fill();
      else body.replaceChildren(row);
    };
    cell.append(button);
    row.append(cell);
    body.append(row);
  }
  if (isOpen) fill();
  return body;
};

const headOf = (columns) => {
  const row = element("tr", "");
  const first = Object.assign(element("th", "instance"), { colSpan: 2 });
  first.append(element("b", "", "Instance"), " thread");
  row.append(first, ...columns.map(({ name, note }) => {
    const made = element("th", "");
    made.append(element("b", "", name), ` ${note}`);
    return made;
  }));
  return row;
};

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".holders");
  const table = element("table", "");
  const head = element("thead", "");
  table.setAttribute("aria-label", data.label);
  head.append(headOf(data.columns));
  table.append(head, ...data.parts.map((part) => partOf(part, data.columns)));
  root.replaceChildren(table);
  const light = (event, isOn) => {
    const tile = event.target.closest?.(".tile");
    if (tile) table.querySelectorAll(`[data-task="${CSS.escape(tile.dataset.task)}"]`).forEach((each) => each.classList.toggle("same", isOn));
  };
  table.onmouseover = (event) => light(event, true);
  table.onmouseout = (event) => light(event, false);
  table.onclick = (event) => {
    const tile = event.target.closest?.(".tile");
    if (tile) setTriggerValue("picked", tile.dataset.task);
  };
}
