// The table of records: a value is edited where it stands, and a change of a field is tried while a person writes. Without it, both are forms.

const token = document.querySelector('meta[name="csrf"]').content;

function hidden(name, value) {
  const input = document.createElement("input");
  Object.assign(input, { type: "hidden", name, value });
  return input;
}

/** The form in place of a cell's words. */
function editor(link) {
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action: "/records/edit", className: "edit-cell" });
  const value = document.createElement("textarea");
  Object.assign(value, { name: "value", rows: Math.max(1, link.dataset.values.split("\n").length), value: link.dataset.values });
  value.setAttribute("aria-label", `${link.dataset.field}: one value a line`);
  const keep = document.createElement("button");
  Object.assign(keep, { textContent: "Keep", className: "primary" });
  const leave = document.createElement("button");
  Object.assign(leave, { textContent: "Leave", type: "button" });
  const back = location.pathname === "/records" ? location.pathname + location.search : "/records";
  form.append(hidden("csrf", token), hidden("id", link.dataset.id), hidden("field", link.dataset.field), hidden("back", back), value, keep, leave);
  value.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); form.requestSubmit(); }
    if (event.key === "Escape") leave.click();
  });
  return { form, value, leave };
}

function edit(link) {
  const cell = link.closest("td");
  const before = [...cell.childNodes];
  const { form, value, leave } = editor(link);
  leave.addEventListener("click", () => { cell.replaceChildren(...before); link.focus(); });
  cell.replaceChildren(form);
  value.focus();
  value.select();
}

for (const link of document.querySelectorAll("a[data-edit]")) {
  link.addEventListener("click", (event) => { event.preventDefault(); edit(link); });
  link.closest("td").addEventListener("dblclick", (event) => { if (!event.target.closest("form")) edit(link); });
}

// --- a change of a field, tried while a person writes ---

const step = document.querySelector("[data-step]");
const trial = document.querySelector("[data-trial]");
let waiting = 0;
let latest = 0;

function showWanted() {
  for (const part of step.querySelectorAll("[data-for]")) part.hidden = !part.dataset.for.split(" ").includes(step.elements.how.value);
}

async function tryIt() {
  if (!step.elements.field.value) return;
  const mine = ++latest;
  const answer = await fetch("/records/trial", { method: "POST", body: new URLSearchParams(new FormData(step)) });
  const text = await answer.text();
  if (mine !== latest || !answer.ok) return;
  const made = new DOMParser().parseFromString(text, "text/html");
  trial.replaceChildren(...made.body.childNodes);
}

if (step) {
  showWanted();
  step.addEventListener("input", () => {
    showWanted();
    clearTimeout(waiting);
    waiting = setTimeout(tryIt, 300);
  });
}
