// The age is counted here, so that it goes on while the server waits for a broker, or is gone itself. The server says how old the reading was when it was drawn:
// the clocks of both may differ. `performance.now` does not jump when a clock is set.
const drawn = {};

const duration = (seconds) => {
  if (seconds >= 48 * 3600) return `${Math.floor(seconds / 86400).toLocaleString("en")} d`;
  if (seconds < 60) return `${seconds} s`;
  const [size, letter, smaller, small] = seconds < 3600 ? [60, "m", 1, "s"] : [3600, "h", 60, "m"];
  const rest = Math.floor((seconds % size) / smaller);
  return rest ? `${Math.floor(seconds / size)}${letter} ${rest}${small}` : `${Math.floor(seconds / size)} ${letter}`;
};

export default function ({ data, parentElement }) {
  const text = parentElement.querySelector("span");
  const host = parentElement.host ?? parentElement;
  // Drawn once more, the same reading is as old as it was: no delay on the way makes it younger.
  const read = performance.now() - 1000 * data.seconds;
  const last = drawn[data.word];
  const since = last?.id === data.id ? Math.min(last.since, read) : read;
  drawn[data.word] = { id: data.id, since };

  const show = () => {
    const age = Math.max(0, Math.floor((performance.now() - since) / 1000));
    const overdue = data.due !== null && age >= data.due;
    text.textContent = age < (data.from ?? 0) ? data.text : `${data.text} (${duration(age)} ago${overdue ? ", refresh overdue" : ""})`;
    text.classList.toggle("overdue", overdue);
    host.toggleAttribute("data-overdue", overdue);
  };
  clearInterval(parentElement.counting);
  parentElement.counting = setInterval(show, 1000);
  show();
  return () => clearInterval(parentElement.counting);
}
