// What every page does: lines of jobs that are at work are kept up to date, and the page is loaded again when one has ended.

for (const line of document.querySelectorAll("[data-job][data-live]")) {
  const source = new EventSource(`/jobs/${encodeURIComponent(line.dataset.job)}/events`);
  source.addEventListener("message", (event) => {
    const job = JSON.parse(event.data);
    const words = line.querySelector("[data-words]");
    const message = line.querySelector("[data-message]");
    if (words) words.textContent = job.words;
    if (message) message.textContent = job.message;
    if (!job.active) {
      source.close();
      location.reload();
    }
  });
  source.addEventListener("end", () => source.close());
}

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
  });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.error ?? answer.statusText);
  return said;
}
