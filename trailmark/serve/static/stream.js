// Server-sent events that rest while nobody looks. A browser keeps few connections to one server, over all tabs: each stream
// that a hidden tab held would be one less for the pages that are looked at.

/** As EventSource: events `message` (with `data`) and `end`, and `close()`. */
export class Stream extends EventTarget {
  #path;
  #source = null;
  #over = false;
  #look = () => (document.hidden ? this.#rest() : this.#open());

  constructor(path) {
    super();
    // Of several projects this page's own, whichever another tab has opened since.
    const project = document.querySelector('meta[name="project"]')?.content;
    this.#path = project ? `${path}${path.includes("?") ? "&" : "?"}p=${encodeURIComponent(project)}` : path;
    document.addEventListener("visibilitychange", this.#look);
    // The page is left: the connection is free at once, also where the browser keeps the page for the way back.
    addEventListener("pagehide", () => this.#rest());
    addEventListener("pageshow", this.#look);
    this.#look();
  }

  close() {
    this.#over = true;
    this.#rest();
    document.removeEventListener("visibilitychange", this.#look);
  }

  #open() {
    if (this.#over || this.#source) return;
    this.#source = new EventSource(this.#path);
    this.#source.addEventListener("message", (event) => this.dispatchEvent(new MessageEvent("message", { data: event.data })));
    this.#source.addEventListener("end", () => {
      this.close();
      this.dispatchEvent(new Event("end"));
    });
  }

  #rest() {
    this.#source?.close();
    this.#source = null;
  }
}
