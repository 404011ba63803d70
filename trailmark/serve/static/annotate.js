// A value clicked in the frame goes into the form; the person only names the field.

const frame = document.querySelector("iframe[data-pick]");
const form = document.querySelector("[data-mark]");

addEventListener("message", (event) => {
  if (!frame || !form || event.source !== frame.contentWindow || event.data?.kind !== "picked") return;
  form.elements.node.value = String(event.data.node ?? "");
  form.elements.value.value = String(event.data.text ?? "").slice(0, 2000);
  form.elements.field.focus();
  form.elements.field.select();
});

// A value that is written by hand is no longer the one that was clicked.
form?.elements.value.addEventListener("input", () => (form.elements.node.value = ""));
