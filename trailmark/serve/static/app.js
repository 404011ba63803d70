// What every page does: lines of jobs that are at work are kept up to date, and the page is loaded again when one has ended.

import { Stream } from "./stream.js";

let stream = null;

/** Keep the lines of jobs on this page up to date. Where a question waits the page stays: what someone looks at or writes is not taken away. */
function watch() {
  stream?.close();
  const lines = [...document.querySelectorAll("[data-job][data-live]")];
  if (!lines.length) return;
  stream = new Stream(`/jobs/events?only=${lines.map((line) => line.dataset.job).join(",")}`);
  stream.addEventListener("message", (event) => {
    const jobs = JSON.parse(event.data);
    for (const line of lines) {
      const job = jobs[line.dataset.job];
      const words = line.querySelector("[data-words]");
      const message = line.querySelector("[data-message]");
      if (words && words.textContent !== job.words) words.textContent = job.words; // what did not change is not read out again
      if (message) message.textContent = job.message;
    }
    if (!Object.values(jobs).some((job) => !job.active)) return;
    if (!document.querySelector("[data-question]")) {
      stream.close();
      location.reload();
    } else if (Object.values(jobs).every((job) => !job.active)) stream.close();
  });
}
watch();
document.addEventListener("trailmark-main", watch);

// In a narrow window the menu is one row that scrolls: where one is stands in sight.
const row = document.querySelector(".top nav");
const here = row?.querySelector("[aria-current]");
if (here) row.scrollLeft = here.offsetLeft - (row.clientWidth - here.offsetWidth) / 2;

// A sentence that was said is read out and seen: the page begins at its top.
document.querySelector(".said")?.scrollIntoView({ block: "nearest" });

/** Send something as the page's own forms do; the answer's JSON. */
export async function post(path, body) {
  const answer = await fetch(path, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-Trailmark-Csrf": document.querySelector('meta[name="csrf"]').content,
    },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new Error("The app does not answer: see whether it still runs.");
  });
  const said = await answer.json().catch(() => ({ error: `The app answered with ${answer.status} ${answer.statusText}.` }));
  if (!answer.ok) throw new Error(said.error ?? answer.statusText);
  return said;
}
