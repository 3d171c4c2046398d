// Names come from applications: every text is set by textContent, never as markup.
const element = (name, className, text) => Object.assign(document.createElement(name), { className, textContent: text ?? "" });

const tileOf = ({ task, kind, note, share, title }) => {
  const made = Object.assign(element("span", `tile ${kind}`), { title });
  made.dataset.task = task;
  made.append(element("b", "", task));
  if (note) made.append(element("i", "", note));
  if (kind === "warmup") made.style.setProperty("--share", `${100 * share}%`);
  made.setAttribute("aria-label", title);
  made.setAttribute("role", "img");
  return made;
};

const cellOf = (tiles, column) => {
  const made = element("td", `of-${column}`);
  const list = element("div", "list");
  list.append(...tiles.map(tileOf));
  made.append(list);
  return made;
};

const rowsOf = (instance, columns) =>
  instance.threads.map((thread, place) => {
    const row = element("tr", place ? "" : "first");
    if (!place) {
      const name = Object.assign(element("th", "instance"), { rowSpan: instance.threads.length, scope: "rowgroup", title: instance.name });
      name.append(element("b", "", instance.name), element("small", "", instance.note));
      row.append(name);
    }
    row.append(element("td", "thread", thread.name), ...columns.map(({ key }) => cellOf(thread.tiles[key], key)));
    return row;
  });

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

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".holders");
  const table = element("table", "");
  const head = element("thead", "");
  const body = element("tbody", "");
  table.setAttribute("aria-label", data.label);
  head.append(headOf(data.columns));
  body.append(...data.instances.flatMap((instance) => rowsOf(instance, data.columns)));
  table.append(head, body);
  root.replaceChildren(table);
  const light = (event, isOn) => {
    const tile = event.target.closest?.(".tile");
    if (tile) body.querySelectorAll(`[data-task="${CSS.escape(tile.dataset.task)}"]`).forEach((each) => each.classList.toggle("same", isOn));
  };
  body.onmouseover = (event) => light(event, true);
  body.onmouseout = (event) => light(event, false);
}
