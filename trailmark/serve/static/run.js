// A run under way: its figures and its curve are kept up to date; lists are loaded again when it has ended.

import { Stream } from "./stream.js";

const SVG = "http://www.w3.org/2000/svg";
const board = document.querySelector("[data-run-live]");

function tick(x, y, anchor, number) {
  const text = document.createElementNS(SVG, "text");
  for (const [name, value] of Object.entries({ x, y, "text-anchor": anchor })) text.setAttribute(name, value);
  text.textContent = number;
  return text;
}

function show(told) {
  for (const field of board.querySelectorAll("[data-figure]")) field.textContent = told[field.dataset.figure];
  board.querySelector("[data-curve]").setAttribute("d", told.path);
  board.querySelector("[data-ticks]").replaceChildren(
    ...told.ticks.across.map(([x, number]) => tick(x, 218, "middle", number)),
    ...told.ticks.up.map(([y, number]) => tick(-6, y + 4, "end", number)),
  );
  for (const field of document.querySelectorAll("[data-console]")) {
    const value = String(told.console[field.dataset.console] ?? "–");
    if (field.textContent !== value) field.textContent = value; // what did not change is not read out again
  }
  const words = document.querySelector("[data-run-words]");
  if (told.words && words.textContent !== told.words) words.textContent = told.words;
}

// Lists change less often than figures; a person who reads them should not lose the place.
async function renew(section) {
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return; // the app is away for a moment; the next event brings it back
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const name of section) {
    const old = document.getElementById(name)?.closest("section");
    const open = [...(old?.querySelectorAll("details[open]") ?? [])].length || old?.contains(document.activeElement);
    const now = fresh.getElementById(name)?.closest("section");
    if (old && now && !open) old.replaceWith(document.adoptNode(now));
  }
}

if (board) {
  const source = new Stream(`/runs/${encodeURIComponent(board.dataset.run)}/events`);
  let [last, goals, changes] = [0, 0, ""];
  source.addEventListener("message", (event) => {
    const told = JSON.parse(event.data);
    show(told);
    if (!told.active) {
      source.close();
      location.reload();
    } else if (Date.now() - last > 5000 || (Date.now() - last > 1000 && (told.goals !== goals || told.changes !== changes))) {
      // A figure never stands beside a list that has not heard of it.
      [last, goals, changes] = [Date.now(), told.goals, told.changes];
      renew(["found", "sites", "console"]);
    }
  });
  source.addEventListener("end", () => source.close());
}

// Just begun: look again until the run is in the books.
if (document.querySelector("[data-begun]")) setTimeout(() => location.reload(), 1000);
