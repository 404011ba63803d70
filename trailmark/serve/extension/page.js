// Tells the recorder which page is shown and which link is clicked. The recorder passes over what is not recorded.

function tell(message) {
  try {
    chrome.runtime.sendMessage(message).catch(() => {});
  } catch {
    // The extension was taken out or renewed while the page was open.
  }
}

if (window === window.top) {
  const shown = () => ({ url: location.href, title: document.title });
  tell({ kind: "visited", page: shown() });
  addEventListener("DOMContentLoaded", () => tell({ kind: "titled", page: shown() }));
  addEventListener("pageshow", (event) => event.persisted && tell({ kind: "visited", page: shown() }));
}

// In the capturing phase, so that a page that handles its own clicks is heard too.
function heard(event) {
  const link = event.composedPath().find((node) => node instanceof Element && node.matches?.("a[href], area[href]"));
  if (!link) return;
  const image = link.querySelector("img[alt]");
  const anchor = link.textContent.trim() || image?.alt || link.title || link.getAttribute("aria-label") || "";
  tell({ kind: "clicked", href: link.href, anchor });
}

addEventListener("click", heard, { capture: true });
addEventListener("auxclick", heard, { capture: true });

// The recorder's window may ask which page this is, so that it needs no right to read the addresses of all tabs.
chrome.runtime.onMessage.addListener((message, sender, answer) => {
  if (window === window.top && message?.kind === "which") answer({ url: location.href, title: document.title });
});
