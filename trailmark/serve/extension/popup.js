// The recorder's small window: shows the trail, passes presses on to the background script. Pages' text is only ever text here.

import { asLines } from "./trail.js";

const at = (id) => document.getElementById(id);
const tell = (message) => chrome.runtime.sendMessage(message).then(show);

// Opened in a tab of its own with ?tab=N, it records that tab: for people who keep it beside the page, and for tests.
async function recordedTab() {
  const asked = Number(new URLSearchParams(location.search).get("tab"));
  const [tab] = asked ? [await chrome.tabs.get(asked)] : await chrome.tabs.query({ active: true, currentWindow: true });
  return tab;
}

async function record() {
  const tab = await recordedTab();
  const page = await chrome.tabs.sendMessage(tab.id, { kind: "which" }).catch(() => ({ url: "", title: "" }));
  return tell({ kind: "start", tab: tab.id, page });
}

function step(each, number) {
  const item = document.createElement("li");
  item.append(each.title || each.url);
  const small = document.createElement("small");
  small.textContent = each.anchor ? `by “${each.anchor}”` : each.url;
  const name = document.createElement("input");
  name.placeholder = "name this kind of page";
  name.setAttribute("aria-label", `Name of page ${number + 1}`);
  name.value = each.label || "";
  name.addEventListener("change", () => tell({ kind: "label", number, name: name.value }));
  item.append(small, name);
  return item;
}

function done(trail) {
  const item = document.createElement("li");
  const { url, label } = trail.steps.at(-1);
  item.textContent = `${trail.outcome === "goal" ? "wanted" : "not wanted"}: ${label ? label + ", " : ""}${url}`;
  return item;
}

function show(state) {
  if (!state) return;
  at("record").hidden = state.recording;
  at("stop").hidden = !state.recording;
  at("hint").hidden = state.recording;
  at("undo").hidden = !state.recording || state.steps.length < 2;
  at("marks").hidden = !state.recording || state.steps.length < 2;
  at("steps").replaceChildren(...(state.recording ? state.steps.map(step) : []));
  at("note").textContent = state.note;
  at("done").hidden = !state.trails.length;
  at("count").textContent = state.trails.length === 1 ? "1 trail marked" : `${state.trails.length} trails marked`;
  at("trails").replaceChildren(...state.trails.map(done));
}

async function save() {
  const { trails } = await chrome.runtime.sendMessage({ kind: "look" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([asLines(trails)], { type: "application/jsonl" }));
  link.download = "trails.jsonl";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

at("record").addEventListener("click", record);
at("save").addEventListener("click", save);
for (const kind of ["stop", "undo", "send", "forget"]) at(kind).addEventListener("click", () => tell({ kind }));
for (const outcome of ["goal", "fail"]) at(outcome).addEventListener("click", () => tell({ kind: "mark", outcome }));
for (const id of ["address", "key"]) {
  chrome.storage.local.get(id).then((kept) => (at(id).value = kept[id] || ""));
  at(id).addEventListener("change", () => chrome.storage.local.set({ [id]: at(id).value.trim() }));
}
chrome.storage.onChanged.addListener((changes) => changes.state && show(changes.state.newValue));
tell({ kind: "look" });
