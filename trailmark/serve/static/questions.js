// Answers by key: y, n, s press their button, l goes to the name. Not while something is being written.

const form = document.querySelector("[data-question]");

addEventListener("keydown", (event) => {
  if (!form || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest?.("input, textarea, select")) return;
  const key = event.key.toLowerCase();
  const button = form.querySelector(`[data-key="${CSS.escape(key)}"]`);
  const field = form.querySelector(`[data-focus="${CSS.escape(key)}"]`);
  if (button) button.click();
  else if (field) field.focus();
  else return;
  event.preventDefault();
});

// A slider says its value beside it.
for (const slider of document.querySelectorAll("input[data-percent]")) {
  const told = document.querySelector(`output[for="${slider.id}"]`);
  slider.addEventListener("input", () => (told.textContent = `${Math.round(100 * slider.value)} %`));
}
