// Sentences name members and topics: every text is set by textContent, never as markup.
const element = (name, className, text) => Object.assign(document.createElement(name), { className, textContent: text ?? "" });

const button = (className, text, isPressed, onclick) => {
  const made = Object.assign(element("button", className, text), { type: "button", onclick });
  made.setAttribute("aria-pressed", isPressed);
  return made;
};

const lineOf = ({ seconds, before, at, day, sign, tone, word, title, text }, { a, b }, pick) => {
  const line = element("li", ""), second = Math.floor(seconds) + 1, isA = Math.floor(before) + 1 === a;
  const made = button("line", "", isA, () => pick("a", before));
  const what = [word, title].filter(Boolean).join(" ");
  made.title = isA ? `A is the reading before “${what}”; a click sets it back to the first of the range` : `Make the reading before “${what}” moment A`;
  const time = element("time", "", at);
  if (day) time.append(element("small", "", day));
  const head = element("span", "head"), mark = element("b", tone);
  mark.append(element("i", "", sign), word);
  head.append(mark, element("b", "title", title));
  const told = element("span", "told");
  told.append(head, element("span", "text", text));
  made.append(time, told);
  const later = button("later", "B", second === b, () => pick("b", seconds));
  later.title = second === b ? `B is at “${what}”; a click sets it back to the end of the range` : `Make the reading that shows “${what}” moment B`;
  later.setAttribute("aria-label", `Make ${at} moment B: ${what}`);
  line.append(made, later);
  return line;
};

export default function ({ data, parentElement, setTriggerValue }) {
  const list = parentElement.querySelector(".events");
  const pick = (name, seconds) => setTriggerValue("picked", { name, seconds });
  list.setAttribute("aria-label", data.label);
  list.replaceChildren(...data.lines.map((line) => lineOf(line, data, pick)));
}
