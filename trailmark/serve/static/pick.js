// Inside a framed page: tells the page around which text was clicked or selected. It is the only script there.
// What the page names its elements must not matter: what belongs to the browser is taken from its prototypes, never from a document or an element.

(() => {
  const method = (owner, name) => Function.prototype.call.bind(owner.prototype[name]);
  const getter = (owner, name) => Function.prototype.call.bind(Object.getOwnPropertyDescriptor(owner.prototype, name).get);
  const listen = method(EventTarget, "addEventListener");
  const find = method(Document, "querySelector");
  const closest = method(Element, "closest");
  const attribute = method(Element, "getAttribute");
  const contains = method(Node, "contains");
  const scrollTo = method(Element, "scrollIntoView");
  const kind = getter(Node, "nodeType");
  const parentOf = getter(Node, "parentElement");
  const content = getter(Node, "textContent");
  const styleOf = (element) => (element instanceof HTMLElement ? getter(HTMLElement, "style") : getter(SVGElement, "style"))(element);
  const rangeAt = Document.prototype.caretRangeFromPoint && method(Document, "caretRangeFromPoint");
  const caretAt = Document.prototype.caretPositionFromPoint && method(Document, "caretPositionFromPoint");

  const isText = (node) => kind(node) === Node.TEXT_NODE;
  const marked = (node) => {
    const element = node instanceof Element ? node : parentOf(node);
    return element && closest(element, "[data-trailmark-node]");
  };

  function textAt(event) {
    const node = rangeAt?.(document, event.clientX, event.clientY)?.startContainer
      ?? caretAt?.(document, event.clientX, event.clientY)?.offsetNode;
    return node && isText(node) && contains(event.target, node) ? node : null;
  }

  let hovered = null;
  listen(document, "mouseover", (event) => {
    if (hovered) styleOf(hovered).removeProperty("box-shadow");
    hovered = marked(event.target);
    if (hovered) styleOf(hovered).setProperty("box-shadow", "0 0 0 2px rgb(34 105 74 / 60%)", "important");
  });

  listen(document, "click", (event) => {
    event.preventDefault();
    const selection = window.getSelection();
    const chosen = selection?.toString().trim();
    const node = chosen ? selection.getRangeAt(0).commonAncestorContainer : textAt(event) ?? event.target;
    const element = marked(node);
    if (!element) return;
    const text = chosen || (isText(node) ? content(node) : element instanceof HTMLImageElement ? "" : content(element));
    window.parent.postMessage({ kind: "picked", node: attribute(element, "data-trailmark-node"), text: text.replace(/\s+/g, " ").trim().slice(0, 2000) }, "*");
  }, true);

  const meta = find(document, 'meta[name="trailmark-focus"]');
  const focus = meta && attribute(meta, "content");
  const place = focus && find(document, `[data-trailmark-node="${CSS.escape(focus)}"]`);
  if (place) scrollTo(place, { block: "center" });
})();
