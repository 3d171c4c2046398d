// Sentences name members and topics: every text is set by textContent, never as markup.
const element = (name, className, text) => Object.assign(document.createElement(name), { className, textContent: text ?? "" });

const lineOf = ({ seconds, at, day, sign, tone, word, text }, chosen, pick) => {
  const line = element("li", "");
  const made = Object.assign(element("button", ""), { type: "button", onclick: () => pick(seconds) });
  made.setAttribute("aria-pressed", Math.floor(seconds) + 1 === chosen);
  const time = element("time", "", at);
  if (day) time.append(element("small", "", day));
  const head = element("b", tone);
  head.append(element("i", "", sign), word);
  const told = element("span", "told");
  told.append(head, element("span", "text", text));
  made.append(time, told);
  line.append(made);
  return line;
};

export default function ({ data, parentElement, setTriggerValue }) {
  const list = parentElement.querySelector(".events");
  list.setAttribute("aria-label", data.label);
  list.replaceChildren(...data.lines.map((line) => lineOf(line, data.chosen, (seconds) => setTriggerValue("picked", seconds))));
}
