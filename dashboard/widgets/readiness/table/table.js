// Names come from clusters: every text is set by textContent, never as markup.
const element = (name, className, text) => Object.assign(document.createElement(name), { className: className ?? "", textContent: text ?? "" });
const within = (made, ...inner) => { made.append(...inner); return made; };
const role = (made, name) => { made.setAttribute("role", name); return made; };
const sign = (verdict) => Object.assign(element("i", `sign ${verdict}`), { ariaHidden: "true" });

const LEFT = new Set(["verdict", "group", "members", "assignor", "why", "order"]);

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

const copied = (button, text) => async () => {
  await navigator.clipboard.writeText(text);
  button.textContent = "copied";
};

const diff = ({ client, add, remove, note }) => {
  const made = element("div", "diff");
  const button = Object.assign(element("button", "copy", "copy"), { type: "button" });
  button.onclick = copied(button, [...add.map((line) => `+ ${line}`), ...remove.map((line) => `- ${line}`)].join("\n"));
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

const detail = (one, walk) => {
  const made = element("div", `detail ${one.verdict}`);
  if (one.strip.length) made.append(strip(one.strip));
  const parts = element("div", "parts");
  if (one.reasons.length) parts.append(within(element("div", "reasons"), element("h4", "", "Reasons"), within(element("ul"), ...one.reasons.map(({ kind, text }) => within(element("li", kind), sign(kind), element("span", "", text))))));
  const settings = one.settings.map(diff);
  if (settings.length) parts.append(within(element("div", "settings"), ...settings, element("p", "", TIMEOUTS)));
  if (one.assignors) parts.append(assignors(one.assignors));
  if (one.order.length) parts.append(order(one, walk));
  made.append(parts);
  return made;
};

export default function ({ data, parentElement, setTriggerValue }) {
  const find = (selector) => parentElement.querySelector(selector);
  const body = find("tbody");

  const opens = (made, act) => {
    made.onclick = act;
    made.tabIndex = 0;
    made.onkeydown = (event) => {
      if (event.target !== made || (event.key !== "Enter" && event.key !== " ")) return;
      event.preventDefault();
      act();
    };
    return made;
  };

  const cell = (key, one) => {
    const made = role(element(key === "group" ? "th" : "td", key), key === "group" ? "rowheader" : "gridcell");
    if (key === "verdict") return within(made, sign(one.verdict), element("b", "", one.word));
    if (key === "members") return within(made, element("span", "", one.members), element("small", "", one.clients ? ` · ${one.clients}` : ""));
    const text = key === "group" ? one.id ?? "without a name" : one[key];
    made.textContent = text;
    made.title = text;
    if (text === "–") made.classList.add("none-known");
    return made;
  };

  const row = (one) => {
    const isOpen = data.open?.id === one.id;
    const made = role(element("tr", `${one.verdict} ${isOpen ? "open" : ""}`), "row");
    made.dataset.id = one.id;
    made.setAttribute("aria-expanded", isOpen);
    made.append(...data.columns.map(({ key }) => cell(key, one)));
    return opens(made, () => setTriggerValue("opened", isOpen ? "" : one.id));
  };

  const inside = () => {
    const made = role(element("tr", `inside ${data.open.verdict}`), "row");
    // A cell for each column, since a span would bring hidden ones back; what is inside runs over the empty ones.
    made.append(...data.columns.map(({ key }) => role(element("td", key), "gridcell")));
    made.firstChild.append(detail(data.open, (id) => setTriggerValue("walked", id)));
    return made;
  };

  const fold = ({ verdict, more: { text, note, isOpen } }) => {
    const made = role(element("tr", `fold ${isOpen ? "open" : ""}`), "row");
    made.setAttribute("aria-expanded", isOpen);
    made.append(...data.columns.map(({ key }) => role(element("td", key), "gridcell")));
    made.firstChild.append(within(element("div"), element("i", "chevron"), element("b", "", text), element("small", "", note)));
    return opens(made, () => setTriggerValue("folded", verdict));
  };

  const fit = () => {
    const place = body.querySelector(".inside > :first-child");
    if (place) place.style.height = `${place.firstChild.offsetHeight}px`;
  };

  const focused = body.getRootNode().activeElement?.dataset?.id;
  find("colgroup").replaceChildren(...data.columns.map(({ key }) => element("col", key)));
  find(".columns").replaceChildren(...data.columns.map(({ key, label }) => role(element("th", `${key} ${LEFT.has(key) ? "left" : ""}`, label), "columnheader")));
  body.replaceChildren(
    ...data.sections.flatMap((section) => [
      ...section.rows.flatMap((one) => (data.open && one.id === data.open.id ? [row(one), inside()] : [row(one)])),
      ...(section.more ? [fold(section)] : []),
    ]),
  );
  find(".none").textContent = data.none;
  fit();
  const watch = new ResizeObserver(fit);
  watch.observe(find("table"));
  body.querySelector(`tr[data-id="${CSS.escape(focused ?? "")}"]`)?.focus({ preventScroll: true });
  tellHidden(find("table"));
  return () => watch.disconnect();
}
