// Keeps the trail in the browser's storage, because this script is put to sleep at any time, and sends it to the app.

import * as trail from "./trail.js";

const HOME = "http://127.0.0.1:8765";

async function read() {
  const { state } = await chrome.storage.local.get("state");
  return { ...trail.EMPTY, ...state };
}

async function write(state) {
  await chrome.storage.local.set({ state });
  await chrome.action.setBadgeText({ text: state.recording ? "REC" : "" });
  await chrome.action.setBadgeBackgroundColor({ color: "#b3261e" });
  return state;
}

// One change after the other: two messages at once must not lose each other's.
let last = Promise.resolve();
function change(next) {
  last = last.then(async () => write(await next(await read()))).catch((error) => ({ ...trail.EMPTY, note: String(error) }));
  return last;
}

const COMMANDS = {
  visited: (state, message, tab) => trail.visited(state, tab?.id, tab?.openerTabId, message.page),
  titled: (state, message) => trail.titled(state, message.page),
  clicked: (state, message, tab) => trail.clicked(state, tab?.id, message),
  start: (state, message) => trail.start(state, message.tab, message.page),
  stop: trail.stop,
  label: (state, message) => trail.label(state, message.number, message.name),
  undo: trail.undo,
  mark: (state, message) => trail.mark(state, message.outcome),
  forget: trail.forget,
  look: (state) => state,
};
const FROM_PAGES = new Set(["visited", "titled", "clicked"]);

chrome.runtime.onMessage.addListener((message, sender, answer) => {
  // A page's script speaks only of itself; the buttons of the recorder are pressed in the recorder.
  if (sender.tab && !sender.url?.startsWith(chrome.runtime.getURL("")) && !FROM_PAGES.has(message?.kind)) return false;
  if (message.kind === "send") {
    send().then(answer);
  } else if (COMMANDS[message.kind]) {
    change((state) => COMMANDS[message.kind](state, message, sender.tab)).then(answer);
  } else {
    return false;
  }
  return true;
});

async function send() {
  const { address = HOME, key = "" } = await chrome.storage.local.get(["address", "key"]);
  const { trails } = await read();
  try {
    const response = await fetch(`${address.replace(/\/+$/, "")}/api/trails`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}` },
      body: JSON.stringify({ trails }),
    });
    const report = await response.json().catch(() => ({}));
    if (!response.ok) {
      const why = report.detail || report.error || `it answered ${response.status}`;
      return change((state) => ({ ...state, note: `Trailmark did not take it: ${why}` }));
    }
    const problems = (report.problems || []).map((each) => each.reason);
    const note = [report.summary || "Sent.", ...problems].join(" ");
    return change((state) => ({ ...state, trails: problems.length ? state.trails : [], note }));
  } catch {
    return change((state) => ({ ...state, note: `No Trailmark answers at ${address}. Start it: trailmark serve` }));
  }
}
