// Inside a framed page: tells the page around which text was clicked or selected. It is the only script there.

(() => {
  const marked = (node) => (node.nodeType === Node.TEXT_NODE ? node.parentElement : node)?.closest("[data-trailmark-node]");

  function textAt(event) {
    const range = document.caretRangeFromPoint?.(event.clientX, event.clientY);
    const node = range?.startContainer ?? document.caretPositionFromPoint?.(event.clientX, event.clientY)?.offsetNode;
    return node?.nodeType === Node.TEXT_NODE && event.target.contains(node) ? node : null;
  }

  let hovered = null;
  document.addEventListener("mouseover", (event) => {
    if (hovered) hovered.style.removeProperty("box-shadow");
    hovered = marked(event.target);
    hovered?.style.setProperty("box-shadow", "0 0 0 2px rgb(34 105 74 / 60%)", "important");
  });

  document.addEventListener("click", (event) => {
    event.preventDefault();
    const selection = getSelection();
    const chosen = selection?.toString().trim();
    const node = chosen ? selection.getRangeAt(0).commonAncestorContainer : textAt(event) ?? event.target;
    const element = marked(node);
    if (!element) return;
    const text = chosen || (node.nodeType === Node.TEXT_NODE ? node.textContent : element.tagName === "IMG" ? "" : element.textContent);
    parent.postMessage({ kind: "picked", node: element.dataset.trailmarkNode, text: text.replace(/\s+/g, " ").trim().slice(0, 2000) }, "*");
  }, true);

  const focus = document.querySelector('meta[name="trailmark-focus"]')?.content;
  if (focus) document.querySelector(`[data-trailmark-node="${CSS.escape(focus)}"]`)?.scrollIntoView({ block: "center" });
})();
