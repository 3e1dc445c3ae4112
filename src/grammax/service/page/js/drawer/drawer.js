// The drawer "How it works": while it is open, it requests the explanation of each query.

import { isAbort, post } from "../api.js";
import { byId, el, replace } from "../dom.js";
import { lightWords } from "../query/echo.js";

export class Drawer {
  #drawer = byId("drawer");
  #button = byId("how");
  #query = "";
  #explained = null; // the query that is shown
  #request = new AbortController();
  #latency = el("dd", { text: "–" });

  constructor() {
    this.#button.addEventListener("click", () => this.toggle());
  }

  get isOpen() {
    return !this.#drawer.hidden;
  }

  toggle(open = !this.isOpen) {
    if (open === this.isOpen) return;
    this.#drawer.hidden = !open;
    document.body.classList.toggle("with-drawer", open);
    this.#button.setAttribute("aria-expanded", String(open));
    if (open) {
      this.#show(el("p", { class: "hint", text: "…" }));
      this.#explain();
    } else lightWords([]);
    if (open) this.#drawer.querySelector("button").focus();
    else this.#button.focus();
  }

  /** Set the current query; nothing is requested while the drawer is closed. */
  follow(query) {
    this.#query = query;
    if (this.isOpen) this.#explain();
  }

  /** The last time from a key press to its answer, and the median of all. */
  timed(latencies) {
    const sorted = [...latencies].sort((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)];
    const [last, middle] = [latencies.at(-1), median].map(Math.round);
    this.#latency.textContent = `${last} ms, median ${middle} ms of ${latencies.length}`;
  }

  async #explain() {
    this.#request.abort();
    if (this.#explained === this.#query && this.#query) return;
    this.#request = new AbortController();
    const { signal } = this.#request;
    if (!this.#query.trim())
      return this.#show(
        el("p", {
          class: "hint",
          text: "Ask something, and each step of the parser is shown here.",
        }),
      );
    try {
      const { told } = await import("./steps.js"); // few open the drawer
      const explained = await post("explain", { query: this.#query }, { signal });
      if (signal.aborted) return;
      this.#explained = this.#query;
      this.#show(...told(explained, this.#latency));
    } catch (error) {
      if (!isAbort(error)) this.#show(el("p", { class: "hint", text: error.message }));
    }
  }

  #show(...contents) {
    if (contents.length === 1) this.#explained = null;
    const close = el("button", {
      type: "button",
      "aria-label": "Close",
      text: "×",
      class: "close",
      on: { click: () => this.toggle(false) },
    });
    const focused = this.#drawer.contains(document.activeElement);
    replace(
      this.#drawer,
      el("header", {}, el("h2", { id: "drawer-title", text: "How it works" }), close),
      ...contents,
    );
    if (focused) close.focus();
  }
}
