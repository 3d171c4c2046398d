// One listener for every button: an attribute on the button itself would be taken out. It copies the command before it, else the page's link.
if (!window.evenkeelCopies) {
  window.evenkeelCopies = true
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.(".copy-link")
    if (!button) return
    const command = button.previousElementSibling?.closest("pre")
    const text = command ? command.textContent : location.href
    const label = button.querySelector("span")
    button.label ??= label.textContent
    const copied = () => {
      label.textContent = command ? "Copied" : "Link copied"
      clearTimeout(button.timer)
      button.timer = setTimeout(() => { label.textContent = button.label }, 2000)
    }
    const ask = () => prompt(command ? "Copy this command" : "Copy this link", text)
    // Browsers have no clipboard for a page that came without TLS from another machine.
    navigator.clipboard ? navigator.clipboard.writeText(text).then(copied, ask) : ask()
  })
}
