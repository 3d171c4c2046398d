// One listener for every button: an attribute on the button itself would be taken out.
if (!window.evenkeelCopies) {
  window.evenkeelCopies = true
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.(".copy-link")
    if (!button) return
    const copied = () => { button.querySelector("span").textContent = "Link copied" }
    const ask = () => prompt("Copy this link", location.href)
    // Browsers have no clipboard for a page that came without TLS from another machine.
    navigator.clipboard ? navigator.clipboard.writeText(location.href).then(copied, ask) : ask()
  })
}
