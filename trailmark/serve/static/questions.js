// One question after the other, by key or button: y, n, s press their button, l goes to the name. Not while something is being written.
// The next page takes the place of the last one without leaving it, so that every press is heard. A press counts once the page that
// it speaks of is in sight; one that came before that says that it was not taken.

const SEEN_AFTER = 200; // ms for which a page is in sight before it can be judged
const LONGEST = 10_000; // ms after which a page that does not come can be judged by its address and title

const question = () => document.querySelector("[data-question]");
let ready = false;
let missed = ""; // the last press that was not taken since the last answer

function say(words) {
  const place = question()?.querySelector("[data-taken]");
  if (place) place.textContent = words;
}

function arrive() {
  ready = true;
  delete question()?.dataset.waiting;
  if (missed) say(`“${missed}” was not taken: this page was not here yet. Press again.`);
}

/** Wait until what is asked about was in sight for a moment; `loaded` settles once its frame is there. */
async function wait(loaded) {
  const here = question();
  if (!here) return;
  here.dataset.waiting = "";
  await Promise.race([loaded, new Promise((done) => setTimeout(done, LONGEST))]);
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  setTimeout(() => here === question() && arrive(), SEEN_AFTER);
}

/** Put the main part of a page that was sent in the place of this one's; settles once its frame is there. */
function swap(text, address) {
  const next = new DOMParser().parseFromString(text, "text/html");
  const main = next.querySelector("main");
  const frame = main.querySelector(".shown iframe");
  const loaded = frame && new Promise((done) => frame.addEventListener("load", done, { once: true }));
  document.querySelectorAll(".said").forEach((each) => each.remove());
  const said = next.querySelector(".said");
  document.querySelector("main").replaceWith(...(said ? [said, main] : [main]));
  document.title = next.title;
  document.body.className = next.body.className;
  history.replaceState(null, "", address);
  scrollTo(0, 0);
  document.dispatchEvent(new Event("trailmark-main"));
  return loaded;
}

async function send(form, button) {
  ready = false;
  missed = "";
  form.dataset.waiting = "";
  say(`${button.firstChild.textContent.trim()}: being kept; the next page comes.`);
  const body = new URLSearchParams(new FormData(form, button));
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "text/html" } });
    if (!answer.ok) throw new Error(`the app answered with ${answer.status} ${answer.statusText}`);
    wait(swap(await answer.text(), answer.url));
  } catch (error) {
    ready = true;
    delete form.dataset.waiting;
    say(`That was not kept: ${error instanceof TypeError ? "the app does not answer; see whether it still runs" : error.message}.`);
  }
}

function refuse(name) {
  missed = name;
  say(`“${name}” was not taken: the next page is not here yet.`);
}

addEventListener("submit", (event) => {
  if (event.target !== question()) return;
  event.preventDefault();
  const button = event.submitter;
  if (ready) send(event.target, button);
  else refuse(button.dataset.key ?? button.textContent.trim());
});

addEventListener("keydown", (event) => {
  const form = question();
  if (!form || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest?.("input, textarea, select")) return;
  const key = event.key.toLowerCase();
  const button = form.querySelector(`[data-key="${CSS.escape(key)}"]`);
  const field = form.querySelector(`[data-focus="${CSS.escape(key)}"]`);
  if (button && !event.repeat) form.requestSubmit(button); // a key that is held down is one press
  else if (field) field.focus();
  else if (!button) return;
  event.preventDefault();
});

// A slider says its value beside it.
addEventListener("input", (event) => {
  if (!event.target.matches("input[data-percent]")) return;
  document.querySelector(`output[for="${event.target.id}"]`).textContent = `${Math.round(100 * event.target.value)} %`;
});

const whole = document.readyState === "complete" ? null : new Promise((done) => addEventListener("load", done, { once: true }));
wait(whole);
