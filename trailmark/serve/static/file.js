// A file that is chosen is read into the form's text field: forms of ours send text.

for (const form of document.querySelectorAll("[data-file-into]")) {
  const field = form.elements[form.dataset.fileInto];
  const line = form.querySelector("[data-file]");
  line.hidden = false;
  line.querySelector("input").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (file) field.value = await file.text();
  });
}
