// A page of a document: the first and the last word of a value are clicked, or chosen by keyboard, and then named in the form beside it.

const sheet = document.querySelector("[data-sheet]");
const form = document.querySelector("[data-correct]");
const words = sheet ? [...sheet.querySelectorAll("[data-part]")] : [];
let first = null;

const place = (word) => Number(word.dataset.place);
const text = (word) => (word.querySelector("text") || word).textContent;

/** The words of a part from one to another. */
function between(one, other) {
  const [low, high] = [place(one), place(other)].sort((a, b) => a - b);
  return words.filter((word) => word.dataset.part === one.dataset.part && place(word) >= low && place(word) <= high);
}

function choose(word) {
  // A second click in the same part ends the choice; one in another part begins anew.
  const begins = first === null || first.dataset.part !== word.dataset.part;
  const chosen = begins ? [word] : between(first, word);
  first = begins ? word : null;
  for (const each of words) each.classList.toggle("chosen", chosen.includes(each));
  const ordered = chosen.sort((a, b) => place(a) - place(b));
  const box = form.querySelector("[data-words]");
  const radio = box.querySelector("input");
  radio.disabled = false;
  radio.checked = true;
  radio.value = `${word.dataset.part}:${place(ordered[0])}:${place(ordered.at(-1))}`;
  box.hidden = false;
  box.querySelector("[data-chosen]").textContent = `“${ordered.map(text).join(" ")}”`;
}

function move(from, by) {
  const next = words[words.indexOf(from) + by];
  if (!next) return;
  from.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

if (form && words.length) {
  form.querySelector("[data-hint]").textContent = "Click the first and the last word on the page, or choose a value below; then its field. With the keyboard: arrows move, Enter chooses.";
  words.forEach((word, number) => { word.setAttribute("tabindex", number ? "-1" : "0"); });
  sheet.addEventListener("click", (event) => {
    const word = event.target.closest("[data-part]");
    if (word) choose(word);
  });
  sheet.addEventListener("keydown", (event) => {
    const word = event.target.closest("[data-part]");
    if (!word) return;
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(word); }
    if (event.key === "ArrowRight") { event.preventDefault(); move(word, 1); }
    if (event.key === "ArrowLeft") { event.preventDefault(); move(word, -1); }
  });
}
