// Long lists of links to tick: a filter, and all or none of what it shows.

for (const form of document.querySelectorAll("[data-checklist]")) {
  const tools = form.querySelector("[data-tools]");
  const filter = form.querySelector("[data-filter]");
  const items = [...form.querySelectorAll(".checklist li")];
  const tick = (ticked) => {
    for (const item of items) if (!item.hidden) item.querySelector("input").checked = ticked;
  };
  tools.hidden = false;
  filter.addEventListener("input", () => {
    const wanted = filter.value.toLowerCase();
    for (const item of items) item.hidden = !item.textContent.toLowerCase().includes(wanted);
  });
  filter.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault();
  });
  form.querySelector("[data-all]").addEventListener("click", () => tick(true));
  form.querySelector("[data-none]").addEventListener("click", () => tick(false));
}
