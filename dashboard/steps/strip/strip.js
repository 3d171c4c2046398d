// Names come from scenarios: every text is set by textContent, never as markup.
const element = (name, className, text) => Object.assign(document.createElement(name), { className, textContent: text ?? "" });

const cardOf = ({ number, name, facts }) => {
  const made = Object.assign(element("button", "card"), { type: "button", title: name });
  const head = element("b", "");
  head.append(element("i", "", number), name);
  const below = element("small", "", facts[0]);
  facts.slice(1).forEach((fact) => below.append(element("span", "second", ` · ${fact}`)));
  made.append(head, below);
  const place = number && name !== `step ${number}` ? `step ${number}: ` : "";
  made.setAttribute("aria-label", `${place}${[name, ...facts].join(", ")}`);
  made.setAttribute("role", "radio");
  return made;
};

const arrowOf = ({ total, noun, below, is_worse: isWorse }) => {
  const made = element("div", "arrow");
  const above = element("span", "");
  above.append(element("b", "", total), ` ${noun}`);
  made.append(above, element("i", ""), element("small", isWorse ? "worse" : "", below));
  return made;
};

export default function ({ data, parentElement, setTriggerValue }) {
  const strip = parentElement.querySelector(".strip");
  strip.setAttribute("aria-label", data.label);
  const hadFocus = strip.contains(strip.getRootNode().activeElement);
  const cards = data.cards.map(cardOf);
  const arrows = data.arrows.map(arrowOf);

  const mark = (selected) => {
    cards.forEach((card, place) => {
      card.setAttribute("aria-checked", place === selected);
      card.tabIndex = place === selected ? 0 : -1;
    });
    arrows.forEach((arrow, place) => arrow.classList.toggle("into", place + 1 === selected));
    const card = cards[selected];
    // Not scrollIntoView: it would scroll the page too.
    if (card) strip.scrollLeft = card.offsetLeft - strip.offsetLeft - (strip.clientWidth - card.offsetWidth) / 2;
  };
  const select = (place) => {
    const card = cards[place];
    if (!card) return;
    mark(place);
    card.focus({ preventScroll: true });
    setTriggerValue("picked", place);
  };
  const towards = { ArrowLeft: (place) => place - 1, ArrowRight: (place) => place + 1, Home: () => 0, End: () => cards.length - 1 };
  cards.forEach((card, place) => {
    card.onclick = () => select(place);
    card.onkeydown = (event) => {
      const to = towards[event.key];
      if (!to || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      select(to(place));
    };
  });

  strip.replaceChildren(...cards.flatMap((card, place) => (place ? [arrows[place - 1], card] : [card])));
  mark(data.selected);
  if (hadFocus) cards[data.selected]?.focus({ preventScroll: true });
}
