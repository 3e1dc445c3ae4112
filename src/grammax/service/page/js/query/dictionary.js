// The dictionary: all fields with their units, ranges, other names and usual values. A click on a
// field puts it into the query; it is requested when it is opened.

import { get, isAbort, pause } from "../api.js";
import { el, replace } from "../dom.js";
import { shown } from "../answer/numbers.js";

const LIMIT = 60;
const QUIET = 120; // milliseconds without another key press
const NAMES = 4; // other names that are listed
const VALUES = 5;
const TYPES = {
  enum: "names",
  money: "amount",
  per_share: "amount",
  percent: "percentage",
  ratio: "ratio",
  count: "number",
  date: "date",
  text: "text",
};

let opened = null;

/** Open it; `choose(field)` is called with the field that was clicked. */
export async function openDictionary(choose) {
  await styled;
  opened ??= new Dictionary(choose);
  opened.open();
}

/** Settled when the styles are there, or cannot be had. */
const styled = new Promise((done) => {
  const href = new URL("../../css/dictionary.css", import.meta.url).href;
  document.head.append(el("link", { rel: "stylesheet", href, on: { load: done, error: done } }));
});

class Dictionary {
  #dialog;
  #input;
  #list = el("ul", { "aria-label": "Fields" });
  #count = el("p", { class: "hint", role: "status" });
  #choose;
  #request = new AbortController();

  constructor(choose) {
    this.#choose = choose;
    this.#input = el("input", {
      type: "search",
      "aria-label": "Search the fields",
      placeholder: "Search",
      autocomplete: "off",
      on: { input: () => this.#look(QUIET), keydown: (event) => this.#key(event) },
    });
    this.#dialog = el(
      "dialog",
      { class: "dictionary", id: "dictionary", "aria-labelledby": "dictionary-title" },
      el(
        "header",
        {},
        el("h2", { id: "dictionary-title", text: "Fields" }),
        el("button", {
          type: "button",
          class: "close",
          "aria-label": "Close",
          text: "×",
          on: { click: () => this.#dialog.close() },
        }),
      ),
      el("p", { class: "hint", text: "What can be asked for. A click puts a field into the query." }),
      this.#input,
      this.#count,
      this.#list,
    );
    this.#dialog.addEventListener("click", (event) => {
      if (event.target === this.#dialog) this.#dialog.close(); // beside it
    });
    this.#dialog.addEventListener("close", () => this.#request.abort());
    document.body.append(this.#dialog);
  }

  get isOpen() {
    return this.#dialog.open;
  }

  open() {
    if (this.isOpen) return;
    this.#input.value = "";
    replace(this.#list);
    this.#count.textContent = "";
    this.#dialog.showModal();
    this.#input.focus();
    this.#look(0);
  }

  async #look(rest) {
    this.#request.abort();
    this.#request = new AbortController();
    const { signal } = this.#request;
    try {
      await pause(rest, signal);
      const search = this.#input.value.trim();
      const { fields, total } = await get("fields", { search, limit: LIMIT }, { signal });
      if (signal.aborted) return;
      replace(this.#list, ...fields.map((field) => this.#entry(field)));
      this.#count.textContent = counted(fields.length, total, search);
    } catch (error) {
      if (!isAbort(error) && !signal.aborted) this.#count.textContent = error.message;
    }
  }

  #entry(field) {
    const click = () => {
      this.#dialog.close();
      this.#choose(field);
    };
    const names = field.names.slice(0, NAMES).join(", ");
    return el(
      "li",
      {},
      el(
        "button",
        { type: "button", "data-token": field.token, on: { click } },
        el("span", { class: "label", text: field.label }),
        el("small", { class: "type", text: described(field) }),
        field.description ? el("span", { class: "about", text: field.description }) : null,
        names ? el("small", { text: `also: ${names}` }) : null,
        ranged(field),
      ),
    );
  }

  /** Enter takes the first field, arrows go to the list. */
  #key(event) {
    const first = this.#list.querySelector("button");
    if (!first || !["Enter", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    if (event.key === "Enter") first.click();
    else first.focus();
  }
}

/** Add a field as a column to what is shown; without a query it becomes the query. */
export async function addField({ token, label }, search, { ask, change, complain }) {
  const text = `show ${uncapitalised(label)}`;
  if (search.form === null || search.parse?.abstains) return ask(text);
  try {
    const { understood, why } = await change({ add_column: token });
    if (!understood) complain({ message: why, hint: `Ask for “${text}” in another search.` });
  } catch (error) {
    complain(error);
  }
}

/** "running time", but "IMDb rating" and "GDP". */
const uncapitalised = (label) =>
  /^\p{Lu}\p{Ll}/u.test(label) ? label[0].toLowerCase() + label.slice(1) : label;

/** "amount in USD". */
function described({ type, unit }) {
  const name = TYPES[type] ?? type.replaceAll("_", " ");
  return unit && unit !== "%" && unit !== "x" ? `${name} in ${unit}` : name;
}

/** The usual values, or the range of the numbers. */
function ranged({ type, unit, low, middle, high, values }) {
  if (values.length) {
    const some = values.slice(0, VALUES).map(({ label }) => label);
    return el("small", { class: "range", text: `${some.join(", ")} …` });
  }
  if (low === null || high === null) return null;
  const [from, usual, to] = [low, middle, high].map((value) => shown(value, type, unit));
  return el("small", {
    class: "range",
    title: "Nine of ten are within this range.",
    text: `mostly ${from} to ${to}, the middle is ${usual}`,
  });
}

function counted(count, total, search) {
  if (!total) return `No field is called “${search}”.`;
  const all = `${total.toLocaleString("en")} field${total === 1 ? "" : "s"}`;
  return count < total ? `The likeliest ${count} of ${all}; search for the others.` : all;
}
