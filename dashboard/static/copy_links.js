// One listener for every button: an attribute on the button itself would be taken out. It copies the command before it, else the page's link.
if (!window.evenkeelCopies) {
  window.evenkeelCopies = true
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.(".copy-link")
    if (!button) return
    const command = button.previousElementSibling?.closest("pre")
    copyFrom(button.querySelector("span"), command ? command.textContent : location.href)
  })
}
