// The trail so far, as plain data; every function takes a state and gives the next one. Nothing here knows the browser.

export const EMPTY = { recording: false, tabs: [], steps: [], click: null, trails: [], note: "" };

const LONGEST_ANCHOR = 500;

/** A URL without its fragment; null for what is not a page of the web. */
export function pageUrl(url) {
  try {
    const parsed = new URL(url);
    parsed.hash = "";
    return /^https?:$/.test(parsed.protocol) ? parsed.href : null;
  } catch {
    return null;
  }
}

/** Begin with the page that a tab shows; trails that were marked before stay. */
export function start(state, tab, page) {
  const url = pageUrl(page.url);
  const steps = url ? [{ url, title: page.title || "", label: null }] : [];
  const note = url ? "" : "Open the first page of a site in this tab.";
  return { ...state, recording: true, tabs: [tab], steps, click: null, note };
}

export function stop(state) {
  return { ...state, recording: false, tabs: [], click: null, note: "" };
}

/** A link was clicked in a recorded tab. */
export function clicked(state, tab, { href, anchor }) {
  if (!state.recording || !state.tabs.includes(tab)) return state;
  const text = (anchor || "").replace(/\s+/g, " ").trim().slice(0, LONGEST_ANCHOR);
  return { ...state, click: { url: pageUrl(href), anchor: text } };
}

/** A page was shown. Tabs opened from a recorded one are recorded too; others are nobody's business. */
export function visited(state, tab, opener, page) {
  if (!state.recording) return state;
  const ours = state.tabs.includes(tab);
  if (!ours && !state.tabs.includes(opener)) return state;
  const tabs = ours ? state.tabs : [...state.tabs, tab];
  const url = pageUrl(page.url);
  if (!url) return { ...state, tabs };
  return { ...state, tabs, click: null, ...walked(state, url, page.title || "") };
}

function walked(state, url, title) {
  const seen = state.steps.findIndex((step) => step.url === url);
  if (seen >= 0) {
    // Back, or the same page again: what came after was a detour.
    const steps = state.steps.slice(0, seen + 1);
    steps[seen] = { ...steps[seen], title: title || steps[seen].title };
    return { steps, note: "" };
  }
  const step = { url, title, label: null };
  if (!state.click && state.steps.length) {
    return { steps: [step], note: "You came here without a link, so the trail begins anew with this page." };
  }
  const anchor = state.click?.anchor;
  return { steps: [...state.steps, anchor ? { ...step, anchor } : step], note: "" };
}

/** The title of a page is known only once it has loaded. */
export function titled(state, page) {
  const url = pageUrl(page.url);
  const steps = state.steps.map((step) => (step.url === url ? { ...step, title: page.title || step.title } : step));
  return { ...state, steps };
}

export function label(state, number, name) {
  const steps = state.steps.map((step, at) => (at === number ? { ...step, label: name.trim() || null } : step));
  return { ...state, steps };
}

export function undo(state) {
  return { ...state, steps: state.steps.slice(0, -1), note: "" };
}

/** The trail is done: its last page is what was wanted ("goal") or is not ("fail"). Recording goes on from here. */
export function mark(state, outcome) {
  if (state.steps.length < 2) return { ...state, note: "Click through to another page first." };
  const steps = state.steps.map(({ url, label, anchor }) => (anchor ? { url, label, anchor } : { url, label }));
  const trail = { site: steps[0].url, outcome, steps };
  const trails = [...state.trails.filter((each) => !same(each, trail)), trail];
  return { ...state, trails, note: "Marked. Go back for another one, or send what you have." };
}

function same(one, other) {
  return one.steps.at(-1).url === other.steps.at(-1).url && one.site === other.site;
}

export function forget(state) {
  return { ...state, trails: [], note: "" };
}

/** The trails as a file: one JSON object a line. */
export function asLines(trails) {
  return trails.map((trail) => JSON.stringify(trail) + "\n").join("");
}
