// Names come from clusters and listings: every text is set by textContent, never as markup.
const element = (name, className, text, title) => {
  const made = Object.assign(document.createElement(name), { className: className ?? "", textContent: text ?? "" });
  if (title) made.title = title;
  return made;
};

const within = (made, ...inner) => {
  made.append(...inner);
  return made;
};

const drawing = (name, attributes, ...inner) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.append(...inner);
  return made;
};

// Meaning of each mark, for readers who cannot see it, and its drawing.
const MARKS = {
  octagon: ["critical", "M4.7 0h6.6L16 4.7v6.6L11.3 16H4.7L0 11.3V4.7z"],
  bars: ["no progress", "M2 1h4.5v14H2zM9.5 1H14v14H9.5z"],
  triangle: ["warning", "M8 1l8 14H0z"],
  diamond: ["another assignment helps", "M8 0l8 8-8 8-8-8z"],
  down: ["recovers by itself", "M7 1h2v9l3.6-3.6L14 7.8l-6 6-6-6 1.4-1.4L7 10z"],
  ring: ["a later reading decides", "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 1.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM7.2 10.9h1.6v1.6H7.2zM8 3.7c1.6 0 2.6.9 2.6 2.2 0 1-.6 1.5-1.2 2-.5.4-.6.7-.6 1.5v.5H7.3v-.7c0-1 .4-1.5 1-2 .5-.4.9-.7.9-1.3 0-.6-.5-1-1.2-1-.8 0-1.2.5-1.3 1.3L5.3 6C5.4 4.6 6.4 3.7 8 3.7z"],
  turn: ["rebalances", "M8 2a6 6 0 0 1 5.2 3H11v1.5h5V1.5h-1.5v2.6A7.5 7.5 0 0 0 .6 7h1.5A6 6 0 0 1 8 2zM0 9.500v5h1.5v-2.6A7.5 7.5 0 0 0 15.4 9h-1.5A6 6 0 0 1 2.800 11H5V9.500z"],
};

const markOf = (mark) => {
  const [label, path] = MARKS[mark];
  return drawing("svg", { class: "mark", viewBox: "0 0 16 16", role: "img", "aria-label": label }, drawing("path", { d: path, "fill-rule": "evenodd" }));
};

const [WIDTH, GAP, HIGH] = [9, 3, 22];

const barsOf = (bars) => {
  const made = drawing("svg", { class: "bars", width: Math.max(bars.length * (WIDTH + GAP), 1), height: HIGH, "aria-hidden": "true" });
  bars.forEach(({ share, part }, place) => {
    const height = Math.max(share * (HIGH - 1), 1);
    const open = part === "unowned" ? 0.6 : 0;
    made.append(drawing("rect", { class: part, x: place * (WIDTH + GAP) + open, y: HIGH - height + open, width: WIDTH - 2 * open, height: Math.max(height - 2 * open, 0.5) }));
  });
  return made;
};

const sparkOf = ({ line, area, dot, kept }) =>
  drawing(
    "svg",
    { class: "drawn", viewBox: "0 0 96 20", preserveAspectRatio: "none", "aria-hidden": "true" },
    drawing("path", { class: "area", d: area }),
    drawing("path", { class: "curve", d: line }),
    ...(kept === null ? [] : [drawing("path", { class: "kept", d: `M0 ${kept}H96` })]),
    ...(dot ? [drawing("circle", { cx: dot[0], cy: dot[1], r: 2 })] : []),
  );

export default function ({ data, parentElement, setTriggerValue }) {
  const list = parentElement.querySelector(".list");
  const told = parentElement.querySelector(".copied");

  const copy = async (button, command) => {
    await copyFrom(button, command);
    told.textContent = `Copied: ${command}`;
  };

  const pressed = (made, act) => {
    made.tabIndex = 0;
    made.onclick = act;
    made.addEventListener("keydown", (event) => {
      if (event.target !== made || (event.key !== "Enter" && event.key !== " ")) return;
      event.preventDefault();
      act();
    });
    return made;
  };

  const copyOf = ({ command, name }) => {
    if (!command) return element("span", "actions");
    const made = Object.assign(element("button", "copy", "Copy command", command), { type: "button" });
    made.setAttribute("aria-label", `Copy the command for ${name}`);
    made.onclick = (event) => {
      event.stopPropagation();
      copy(made, command);
    };
    return within(element("span", "actions"), made);
  };

  const lineOf = (line) => {
    if (line.fold) {
      const fold = within(element("div", `line fold ${line.isNarrow ? "narrow" : ""}`), element("i", "chevron", "›"), element("b", "", line.text));
      fold.setAttribute("role", "button");
      fold.setAttribute("aria-expanded", line.isOpen);
      fold.dataset.fold = line.fold;
      return pressed(fold, () => setTriggerValue("unfolded", line.fold));
    }
    if (line.note) return element("p", "note", line.note);
    const made = element("div", `line ${line.isNeed ? "need " : ""}${line.tone}`);
    const words = within(element("span", "words"), element("span", "sentence", line.sentence, line.sentence), element("small", "advice", line.advice, line.advice));
    const figures = data.hasHistory
      ? [element("span", "since", line.since), within(element("span", "spark"), ...(line.spark ? [sparkOf(line.spark)] : [])), element("span", line.isGuessed ? "behind guessed" : "behind", line.behind, line.behindTitle), element("span", line.isLosing ? "lost losing" : "lost", line.lost, line.lostTitle)]
      : [element("span", "lag", line.lag, line.source)];
    // A phone shows no column heads, so the figure has its own label.
    if (data.hasHistory && /\d/.test(line.lost)) figures.at(-1).dataset.about = "lost in ";
    made.append(markOf(line.mark), element("b", "name", line.name, line.name), words, ...figures);
    if (!data.hasHistory) made.append(within(element("span", "members"), barsOf(line.bars)));
    made.append(copyOf(line));
    made.dataset.command = line.command ?? "";
    made.setAttribute("role", "link");
    made.setAttribute("aria-label", `${line.name}: ${line.sentence}${data.hasHistory ? ` Data lost in: ${line.lost}.` : ""}`);
    return pressed(made, () => {
      made.classList.add("opening");
      setTriggerValue("picked", line.id);
    });
  };

  const headsOf = () => {
    const figures = data.hasHistory ? [["since", "since"], ["spark", "behind, 6 h"], ["behind", "behind"], ["lost", "data lost in"]].map(([name, text]) => element("span", name, text)) : [element("span", "lag", "lag")];
    const legend = within(element("span", "members"), element("span", "", "per member, "), element("i", "dashed"), element("span", "", " no owner"));
    const made = element("div", "heads");
    const hasBars = data.lines.some(({ bars }) => bars?.length);
    made.append(element("span"), element("span"), element("span", "words"), ...figures, ...(data.hasHistory ? [] : [hasBars ? legend : within(element("span", "members"))]), element("span", "actions"));
    made.setAttribute("aria-hidden", "true");
    return made;
  };

  const drawn = data.lines.map(lineOf);
  const lines = drawn.filter(({ onclick }) => onclick);
  const turned = list.getRootNode().activeElement?.dataset?.fold;
  list.className = data.hasHistory ? "list with-history" : "list";
  list.replaceChildren(...(lines.length ? [headsOf()] : []), ...drawn);
  if (turned) lines.find(({ dataset }) => dataset.fold === turned)?.focus({ preventScroll: true });
  told.textContent = "";

  // J and K work on the whole page, except in text fields.
  const step = (by) => {
    const seen = lines.filter((line) => line.offsetParent);
    const place = seen.indexOf(list.getRootNode().activeElement);
    const next = place < 0 ? (by > 0 ? 0 : seen.length - 1) : Math.min(Math.max(place + by, 0), seen.length - 1);
    seen[next]?.focus();
  };
  const onKey = (event) => {
    const at = event.composedPath()[0];
    if (event.altKey || event.ctrlKey || event.metaKey || at.matches?.("input, textarea, select, [contenteditable]") || document.querySelector("[role=dialog]")) return;
    if (event.key === "/") {
      const search = document.querySelector(".st-key-groups-search input");
      if (!search) return;
      event.preventDefault();
      search.focus();
      return;
    }
    const by = { j: 1, k: -1, ArrowDown: lines.includes(at) ? 1 : 0, ArrowUp: lines.includes(at) ? -1 : 0 }[event.key];
    if (by) {
      event.preventDefault();
      step(by);
    } else if (event.key === "c" && at.dataset?.command) copy(at.querySelector(".copy"), at.dataset.command);
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}
