// Small pictures of pages: a page is shown scaled down, in a frame that may do nothing, once its row is in sight. One is made after the other.

const waiting = [];
let busy = false;

function next() {
  const place = waiting.shift();
  busy = Boolean(place);
  if (!place) return;
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "");
  frame.referrerPolicy = "no-referrer";
  frame.tabIndex = -1;
  frame.title = "The page, scaled down";
  frame.addEventListener("load", next, { once: true });
  frame.src = place.dataset.snapshot;
  place.replaceChildren(frame);
}

const sight = new IntersectionObserver((seen) => {
  for (const each of seen.filter((one) => one.isIntersecting)) {
    sight.unobserve(each.target);
    waiting.push(each.target);
  }
  if (!busy) next();
});
const begin = () => document.querySelectorAll("[data-snapshot]").forEach((place) => sight.observe(place));
if (document.readyState === "complete") begin();
else addEventListener("load", begin, { once: true }); // the page that is asked about comes first
document.addEventListener("trailmark-main", () => {
  waiting.length = 0; // rows of the page that was here before
  busy = false;
  begin();
});
