// Keys for readers; everything works without them.
const box = document.getElementById("q");
const links = () => [...document.querySelectorAll(".entry .what a")];
const typing = (target) => target instanceof Element && target.closest("input, textarea, select, [contenteditable]");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || typing(event.target)) return;
  if (event.key === "/" && box) {
    event.preventDefault();
    box.focus();
    box.select();
  } else if (event.key === "j" || event.key === "k") {
    const all = links();
    const at = all.indexOf(document.activeElement) + (event.key === "j" ? 1 : -1);
    all[Math.max(0, Math.min(all.length - 1, at))]?.focus();
  }
});

// On a narrow screen the list of facets is folded at first.
const facets = document.querySelector(".facets > details");
if (facets && matchMedia("(max-width: 50rem)").matches) facets.open = false;
