// Names come from clusters and listings: every text is set by textContent, never as markup.
// Characters that turn or hide text are shown as their code. Copied text is unchanged.
const shown = (text) => text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);

const element = (name, className, ...inner) => {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...inner.filter((one) => one !== null && one !== undefined && one !== "").map((one) => (typeof one === "string" ? shown(one) : one)));
  return made;
};

const drawing = (name, attributes, ...inner) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.append(...inner);
  return made;
};

const button = (className, onclick, ...inner) => Object.assign(element("button", className, ...inner), { type: "button", onclick });

const MARKS = {
  octagon: [{ d: "M6 1h6l5 5v6l-5 5H6l-5-5V6z" }],
  bars: [{ d: "M3 2h4v14H3zM11 2h4v14h-4z" }],
  triangle: [{ d: "M9 2l8 14H1z" }],
  diamond: [{ d: "M9 1l8 8-8 8-8-8z" }],
  down: [{ d: "M9 2v13M4 10l5 5 5-5", class: "line" }],
  tick: [{ d: "M2 9l5 5 9-10", class: "line" }],
  ring: [{ d: "M9 1.5a7.5 7.5 0 1 0 .01 0zM6.8 7a2.2 2.2 0 1 1 3.2 2c-.7.4-1 .8-1 1.5M9 13v.6", class: "line" }],
  turn: [{ d: "M15 5A7 7 0 1 0 16 10M15 1v4h-4", class: "line" }],
};

const mark = (shape) => drawing("svg", { class: "mark", viewBox: "0 0 18 18", "aria-hidden": "true" }, ...MARKS[shape].map((path) => drawing("path", path)));

const shared = (made, share) => {
  made.style.setProperty("--share", `${100 * share}%`);
  return made;
};

// A button that shows or hides the element after it. `open` remembers the choice for the next run.
const opener = (className, key, isOpen, open, inner, body) => {
  const made = button(className, () => set(!open.get(key)), ...inner);
  const set = (value) => {
    open.set(key, value);
    made.setAttribute("aria-expanded", value);
    body.hidden = !value;
  };
  set(open.get(key) ?? isOpen);
  return made;
};

const copies = (text, label) => {
  const made = button("copy", () => copyFrom(made, text), "Copy");
  made.setAttribute("aria-label", label);
  return made;
};

const command = (text, isFirst) => {
  const copy = copies(text, `Copy ${text}`);
  if (isFirst) copy.title = "C";
  copy.classList.toggle("first", isFirst);
  // No line breaks inside an option.
  const words = text.split(" ").flatMap((word) => [element("span", "", word), " "]);
  return element("div", "command", element("code", "", ...words), copy);
};

const evidence = (what, open) => {
  if (!what.rows.length) return element("p", "evidence", element("b", "", what.word), ` ${what.evidence}`);
  const head = element("tr", "", element("td"), ...what.columns.map((text) => Object.assign(element("th", "", text), { scope: "col" })), element("td"));
  const row = ({ name, cells, note }) => element("tr", "", Object.assign(element("th", "", name), { scope: "row" }), ...cells.map((text) => element("td", "number", text)), element("td", "note", note));
  const table = element("table", "offsets", element("thead", "", head), element("tbody", "", ...what.rows.map(row)));
  const body = Object.assign(element("div", "scrolls", table), { tabIndex: 0 });
  body.setAttribute("role", "group");
  body.setAttribute("aria-label", "Evidence");
  const line = opener("evidence", "evidence", false, open, [element("i", "chevron"), element("b", "", what.word), ` ${what.evidence}`], body);
  return element("div", "", line, body);
};

const whatOf = ({ what }, open, later) => {
  const main = element("div", "does");
  const said = element("div", "said", element("h2", "", mark(what.mark), element("span", "", what.sentence)), element("p", "details", what.details.map((text) => `${text} `).join(""), element("b", "", what.advice)));
  if (what.command) main.append(command(what.command, true));
  if (what.change) main.append(element("p", "change", `This ${what.change.what}:`), command(what.change.command, false));
  if (what.later) main.append(Object.assign(button("primary", later, element("span", "plus", "+"), what.later), { title: what.wait }));
  main.append(evidence(what, open));
  if (what.input.length) main.append(element("p", "evidence", element("b", "", "Input."), ` ${what.input.join(" ")}`));
  const made = element("section", `what ${what.tone}`, said, main);
  made.setAttribute("aria-label", "What is wrong");
  if (what.also.length) made.append(element("div", "also", element("h3", "", "Also"), element("ul", "", ...what.also.map((text) => element("li", "", text)))));
  return made;
};

const stripOf = (cells) => element("dl", "strip", ...cells.map(({ label, value, note, tone, tip }) =>
  Object.assign(element("div", tone, element("dt", "", label), element("dd", "", element("b", "", value), note && element("span", "", note))), { title: tip })));

const bar = (kind, share) => element("span", `bar ${kind}`, shared(element("i"), share));

const partOf = ({ name, note, kind, share, lag, cells }) =>
  element("li", "part", element("span", "name", element("span", "", name), note && element("small", "", note)), bar(kind, share), element("span", "lag", lag), ...cells.map((text) => element("span", "cell", text)));

const rowOf = (row, open) => {
  const { name, host, note, title, kind, share, lag, cells, parts, more, isOpen } = row;
  const label = element("span", "name", element("b", "", name), host && element("small", "host", host), note && element("small", "", note));
  if (title) label.title = title;
  const inner = [element("i", parts.length ? "chevron" : "blank"), label, bar(kind, share), element("span", "lag", lag), ...cells.map((text) => element("span", "cell", text))];
  if (!parts.length) return element("li", "", element("div", "row", ...inner));
  const body = element("ul", "parts", ...parts.map(partOf), more && element("li", "more", more));
  return element("li", "", opener("row", title ?? name, isOpen, open, inner, body), body);
};

const barsOf = ({ shares, subject, mean, text, label, isCurve }) => {
  const made = element("div", isCurve ? "bars curve" : "bars", ...shares.map((share, place) => shared(element("i", subject[place] ? "subject" : ""), share)));
  made.append(shared(element("span", "mean", element("small", "", text)), mean));
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", label);
  return made;
};

const hoursOf = ({ line, area, others, ys, xs, kept, marks, label, source }) => {
  const paths = [["area", area], ["others", others], ["line", line]].filter(([, d]) => d).map(([name, d]) => drawing("path", { class: name, d }));
  const made = element("div", "hours", drawing("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" }, ...paths));
  made.append(...ys.map(({ at, text }) => shared(element("span", "y", element("small", "", text)), at)));
  if (kept) made.append(shared(element("span", "y kept", element("small", "", kept.text)), kept.at));
  made.append(...xs.map(({ at, text }) => shared(element("small", "x", text), at)));
  made.append(...marks.map(({ at, text }) => shared(element("span", at > 0.5 ? "mark late" : "mark", element("small", "", text)), at)));
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", [label, ...marks.map(({ text }) => text)].join("; "));
  made.title = source;
  return made;
};

const whoOf = ({ who }, open) => {
  const legend = who.legend.map(({ kind, text }) => element("small", `key ${kind}`, element("i"), text));
  const made = element("section", "who", element("h2", "", "Who", ...legend, who.hours?.source && element("small", "", who.hours.source)));
  made.setAttribute("aria-label", "Who");
  if (who.hours) made.append(hoursOf(who.hours));
  if (who.bars) made.append(barsOf(who.bars));
  if (!who.rows.length) return made;
  made.append(element("div", "heads", element("span", "", who.scale), ...who.columns.map((text) => element("span", "cell", text))));
  made.append(element("ul", "rows", ...who.rows.map((row) => rowOf(row, open))));
  return made;
};

const helpOf = (row, tried) => {
  if (row.helps === "no") {
    const line = element("td", "", element("b", "", row.name), `, no help: ${row.why}`);
    line.colSpan = 4;
    return element("tr", "ruled-out", line);
  }
  const tries = row.tries && button("try", () => tried(row.tries), "Try");
  if (tries) tries.setAttribute("aria-label", `Try: ${row.name}`);
  return element("tr", row.isAdvised ? "advised" : "",
    Object.assign(element("th", "", element("b", "", row.name), element("small", "", row.why)), { scope: "row" }),
    element("td", "worst", row.change && element("em", "", row.change), row.worst), element("td", "price", row.price), element("td", "act", tries));
};

const helpsOf = ({ helps }, tried) => {
  const made = element("section", "helps", element("h2", "", helps.title, helps.note && element("small", "", helps.note)));
  made.setAttribute("aria-label", helps.title);
  if (helps.none) return element("section", "helps", element("h2", "", helps.title), element("p", "none", helps.none));
  const hasWorst = helps.rows.some(({ worst }) => worst);
  const hasPrice = helps.rows.some(({ price }) => price);
  const table = element("table", "");
  if (hasWorst || hasPrice) {
    const heads = ["Remedy", hasWorst ? "Worst member" : "", hasPrice ? "Price" : "", ""];
    table.append(element("thead", "", element("tr", "", ...heads.map((text, place) => (text ? Object.assign(element("th", place ? "" : "unseen", text), { scope: "col" }) : element("td"))))));
  }
  table.append(element("tbody", "", ...helps.rows.map((row) => helpOf(row, tried))));
  made.append(table);
  return made;
};

const switchedOf = ({ before, after, mean, text, rows, more }) => {
  const keys = [["now", before], ["then", after]].map(([kind, name]) => element("small", `key ${kind}`, element("i"), name));
  const made = element("section", "switched", element("h2", "", "Lag per member", ...keys, element("small", "key share", element("i"), text)));
  made.setAttribute("aria-label", "Lag per member");
  const pair = ({ name, host, title, lags, shares, sizes }) => {
    const label = Object.assign(element("span", "name", element("b", "", name), host && element("small", "host", host)), { title });
    const bars = element("span", "pair", ...shares.map((share, place) => shared(element("i", `${place ? "then" : "now"}${share === null ? " idle" : ""}`), share ?? 0)));
    return element("li", "", label, shared(bars, mean), element("span", "lag", `${lags[0]} → `, element("b", "", lags[1])), element("span", "cell", `${sizes[0]} → `, element("b", "", sizes[1])));
  };
  made.append(element("div", "heads", element("span", "lag", "lag"), element("span", "cell", "partitions")));
  made.append(element("ul", "rows", ...rows.map(pair), more && element("li", "more", more)));
  return made;
};

const whyOf = ({ topics, text, kept, rebalances, source }) => {
  const made = element("section", "why", element("h2", "", "Why"));
  made.setAttribute("aria-label", "Why");
  if (text) made.append(element("p", "none", text));
  const bar = kept && element("div", "retention", shared(element("i"), kept.share), element("span", "", kept.text), element("span", "", kept.note));
  if (!topics.length) return made;
  const heads = ["Topic", "in /s", "read /s", "growth /s"].map((head) => Object.assign(element("th", "", head), { scope: "col" }));
  const row = ({ name, arrived, read, growth, isWorse, shares }) => element("tr", "",
    Object.assign(element("th", "", name), { scope: "row" }), element("td", "number", arrived), element("td", "number", read), element("td", isWorse ? "number worse" : "number", growth),
    element("td", "rates", element("span", "rate", shared(element("i", "in"), shares[1]), shared(element("i", "read"), shares[0]))));
  made.append(Object.assign(element("table", "", element("thead", "", element("tr", "", ...heads, element("td"))), element("tbody", "", ...topics.map(row))), { title: source }));
  if (rebalances) made.append(element("div", "turns", element("span", "", rebalances.text), element("div", "", ...rebalances.marks.map((at) => shared(element("i"), at)))));
  if (bar) made.append(bar);
  return made;
};

const isTyping = ({ target }) => target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

export default function ({ data, parentElement, setTriggerValue }) {
  const place = parentElement.querySelector(".overview");
  const open = (parentElement.open ??= new Map());
  const tried = (remedy) => setTriggerValue("tried", remedy);
  const who = whoOf(data, open), helps = helpsOf(data, tried), why = data.why && whyOf(data.why);
  const columns = data.switched
    ? [element("div", "", helps, switchedOf(data.switched)), element("div", "", who, why)]
    : [element("div", "", who), element("div", "", helps, why)];
  place.replaceChildren(whatOf(data, open, () => setTriggerValue("later", true)), stripOf(data.strip), element("div", "columns", ...columns));
  const copy = (event) => {
    if (event.key.toLowerCase() !== "c" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    place.querySelector(".copy.first")?.click();
  };
  document.addEventListener("keydown", copy);
  return () => document.removeEventListener("keydown", copy);
}
