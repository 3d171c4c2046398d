// Sentences name members and topics: every text is set by textContent, never as markup.
const element = (name, className, text) => Object.assign(document.createElement(name), { className, textContent: text ?? "" });

const lineOf = ({ at, day, sign, tone, word, text }) => {
  const made = element("li", "");
  const time = element("time", "", at);
  if (day) time.append(element("small", "", day));
  const head = element("b", tone);
  head.append(element("i", "", sign), word);
  const told = element("div", "");
  told.append(head, element("p", "", text));
  made.append(time, told);
  return made;
};

export default function ({ data, parentElement }) {
  const list = parentElement.querySelector(".events");
  list.setAttribute("aria-label", data.label);
  list.tabIndex = 0;
  list.replaceChildren(...data.lines.map(lineOf));
}
