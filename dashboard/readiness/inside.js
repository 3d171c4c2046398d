// Names come from clusters: every text is set by textContent, never as markup. `element` and `within` are the table's.
const mark = (verdict) => Object.assign(element("i", `dot ${verdict}`), { ariaHidden: "true" });

const boxes = ({ new: marks, more }) => {
  const made = element("span", "boxes");
  const single = (isNew) => element("i", isNew ? "new" : "old");
  made.append(...(more ? [...marks.slice(0, 4).map(single), element("small", "", `… ${more}`), ...marks.slice(4).map(single)] : marks.map(single)));
  return made;
};

const state = ({ title, note, boxes: marks }, place, count) =>
  within(element("div", `state ${place === 0 ? "first" : place === count - 1 ? "last" : ""}`), element("b", "", title), element("small", "", note), boxes(marks));

const arrow = ({ arrow: name, moves }) =>
  within(element("div", "arrow"), within(element("span", "", "restart "), element("b", "", name)), element("i", "line"), element("small", "", moves));

const strip = (states) => within(Object.assign(role(element("div", "strip"), "group"), { ariaLabel: "Restarts", tabIndex: 0 }), ...states.flatMap((one, place) => (place ? [arrow(one), state(one, place, states.length)] : [state(one, 0, states.length)])));

const diff = ({ client, add, remove, note }) => {
  const made = element("div", "diff");
  const button = Object.assign(element("button", "copy", "Copy"), { type: "button" });
  button.onclick = () => copyFrom(button, [...add.map((line) => `+ ${line}`), ...remove.map((line) => `- ${line}`)].join("\n"));
  made.append(within(element("h4", "", "Settings "), element("small", "", client), button));
  made.append(within(element("pre"), ...add.map((line) => element("code", "add", `+ ${line}`)), ...remove.map((line) => element("code", "remove", `− ${line}`))));
  made.append(element("p", "", note));
  return made;
};

const assignors = ({ columns, rows, advised }) => {
  const made = element("div", "assignors");
  const table = element("table");
  const at = (place) => (place === advised ? "advised" : "");
  table.append(within(element("tr"), element("th"), ...columns.map((name, place) => element("th", at(place), name))));
  table.append(...rows.map(({ label, cells, lost }) => within(element("tr"), element("th", "", label), ...cells.map((text, place) => element("td", `${at(place)} ${lost?.[place] ? "lost" : ""}`, text)))));
  return within(made, element("h4", "", "What the broker's assignors would give"), table);
};

const order = ({ order: steps, total, id, strip: states }, walk) => {
  const made = within(element("div", "order"), element("h4", "", "Order of bounces"), within(element("ol"), ...steps.map((text) => element("li", "", text))));
  if (states.length > 1) {
    const button = Object.assign(element("button", "link", "Open in What-if"), { type: "button" });
    button.onclick = () => walk(id);
    made.append(within(element("p"), button, element("small", "", ` ${total}`)));
  }
  return made;
};

const TIMEOUTS = "The broker's session timeout and heartbeat hold from then on; set consumer.session.timeout.ms for this group with kafka-configs.sh.";

const insideOf = (one, ask) => {
  const walk = (id) => ask("walked", id);
  const made = element("div", `detail ${one.verdict}`);
  if (one.shown) made.append(element("p", "shown", one.shown));
  if (one.strip.length) made.append(strip(one.strip));
  const parts = element("div", "parts");
  if (one.reasons.length) parts.append(within(element("div", "reasons"), element("h4", "", "Reasons"), within(element("ul"), ...one.reasons.map(({ kind, text }) => within(element("li", kind), mark(kind), element("span", "", text))))));
  const settings = one.settings.map(diff);
  if (settings.length) parts.append(within(element("div", "settings"), ...settings, element("p", "", TIMEOUTS)));
  if (one.assignors) parts.append(assignors(one.assignors));
  if (one.order.length) parts.append(order(one, walk));
  made.append(parts);
  return made;
};

