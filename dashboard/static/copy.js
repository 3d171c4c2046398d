// Copies a text; the pressed button says so for two seconds.
const copyFrom = (button, text) => {
  const copied = () => {
    const label = (button.label ??= button.textContent);
    button.style.minWidth = `${button.offsetWidth}px`;
    button.textContent = "Copied";
    clearTimeout(button.timer);
    button.timer = setTimeout(() => { button.textContent = label; }, 2000);
  };
  const ask = () => prompt("Copy this", text);
  // Browsers have no clipboard for a page that came without TLS from another machine.
  return navigator.clipboard ? navigator.clipboard.writeText(text).then(copied, ask) : ask();
};

