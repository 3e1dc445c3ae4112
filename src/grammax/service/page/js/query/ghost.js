// The likeliest completion after the caret: a layer over the input repeats the typed text invisibly,
// so that what follows begins exactly where the text ends. Screen readers have the list instead.

import { el } from "../dom.js";

export class Ghost {
  #input;
  #typed = el("span", { class: "typed" });
  #rest = el("span", { class: "rest" });
  #layer = el("div", { class: "ghost", "aria-hidden": "true" }, this.#typed, this.#rest);
  #whole = ""; // the completed text

  constructor(input) {
    this.#input = input;
    input.after(this.#layer);
    for (const event of ["input", "scroll", "keyup", "pointerup", "focus", "compositionstart"]) {
      input.addEventListener(event, () => this.#draw());
    }
    new ResizeObserver(() => this.#draw()).observe(input);
  }

  /** Show what completes the text, as long as it does; nothing for "". */
  offer(whole) {
    this.#whole = whole;
    this.#draw();
  }

  /** What taking it would add to the text; "" if nothing is shown. */
  get text() {
    const { value, selectionStart, selectionEnd } = this.#input;
    const fits =
      document.activeElement === this.#input &&
      value !== "" &&
      selectionStart === value.length &&
      selectionEnd === value.length &&
      this.#whole.toLowerCase().startsWith(value.toLowerCase());
    return fits ? this.#whole.slice(value.length) : "";
  }

  #draw() {
    const rest = this.text;
    this.#typed.textContent = rest ? this.#input.value : "";
    this.#rest.textContent = rest;
    if (rest) this.#layer.scrollLeft = this.#input.scrollLeft;
  }
}
