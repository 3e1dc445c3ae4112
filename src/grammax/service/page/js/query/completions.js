// Completions of the typed text, by the ARIA combobox pattern: focus stays in the input, arrow keys
// move among the options. They have a separate line, so that they never cover the answer. The
// likeliest is also shown after the caret, where Tab or the right arrow takes it.

import { isAbort, post } from "../api.js";
import { el, replace } from "../dom.js";
import { Ghost } from "./ghost.js";

const LIMIT = 6;

export class Completions {
  #input;
  #list;
  #ghost;
  #take;
  #found = [];
  #active = -1;
  #request = new AbortController();

  /** `take` is called with the whole text after a completion was chosen. */
  constructor(input, list, take) {
    this.#input = input;
    this.#list = list;
    this.#ghost = new Ghost(input);
    this.#take = take;
    input.addEventListener("keydown", (event) => this.#key(event));
    input.addEventListener("blur", () => this.close());
  }

  /** Request completions; an earlier request is cancelled. */
  async look(text) {
    this.#request.abort();
    this.#request = new AbortController();
    const { signal } = this.#request;
    if (!text.trim()) return this.close();
    try {
      const { completions } = await post("complete", { text, limit: LIMIT }, { signal });
      if (!signal.aborted) this.#show(text, completions);
    } catch (error) {
      if (!isAbort(error)) this.close(); // a page without completions still answers
    }
  }

  close() {
    this.#request.abort();
    this.#show("", []);
  }

  #show(text, completions) {
    this.#found = completions.filter((completion) => completion.text !== text);
    this.#active = -1;
    this.#ghost.offer(this.#found.find(({ likely }) => likely)?.text ?? "");
    replace(this.#list, ...this.#found.map((found, place) => this.#option(text, found, place)));
    this.#input.setAttribute("aria-expanded", String(this.#found.length > 0));
    this.#input.removeAttribute("aria-activedescendant");
  }

  #option(text, found, place) {
    const choose = (event) => {
      event.preventDefault(); // the input keeps the focus
      this.#choose(found.text);
    };
    return el(
      "li",
      {
        role: "option",
        id: `completion-${place}`,
        "aria-selected": "false",
        on: { mousedown: choose },
      },
      el("span", { text: found.text.slice(lastWord(text, found.text)) }),
      el("small", { text: found.what.replaceAll("_", " ").toLowerCase() }),
    );
  }

  #key(event) {
    const open = this.#found.length > 0;
    const chosen = this.#active >= 0;
    const step =
      { ArrowDown: 1, ArrowUp: -1 }[event.key] ??
      (chosen ? { ArrowRight: 1, ArrowLeft: -1 }[event.key] : 0);
    const plain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
    const taking = plain && (event.key === "Tab" || event.key === "ArrowRight");
    if (open && step) this.#activate(next(this.#active, step, this.#found.length));
    else if (chosen && (event.key === "Tab" || event.key === "Enter"))
      this.#choose(this.#found[this.#active].text);
    else if (!chosen && taking && this.#ghost.text)
      this.#choose(this.#input.value + this.#ghost.text);
    else if ((open || this.#ghost.text) && event.key === "Escape") this.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #activate(place) {
    this.#active = place;
    this.#ghost.offer("");
    [...this.#list.children].forEach((option, at) => {
      option.setAttribute("aria-selected", String(at === place));
      if (at === place) option.scrollIntoView({ block: "nearest", inline: "nearest" });
    });
    if (place < 0) this.#input.removeAttribute("aria-activedescendant");
    else this.#input.setAttribute("aria-activedescendant", `completion-${place}`);
  }

  #choose(text) {
    this.close();
    this.#take(text);
  }
}

/** The next option; after the last comes no selection, then the first again. */
function next(active, step, count) {
  const moved = active + step;
  if (moved >= count) return -1;
  return moved < -1 ? count - 1 : moved;
}

/** The start of the first word that a completion changes. */
function lastWord(text, whole) {
  let same = 0;
  while (same < text.length && text[same].toLowerCase() === whole[same]?.toLowerCase()) same++;
  return whole.lastIndexOf(" ", Math.max(0, same - 1)) + 1;
}
