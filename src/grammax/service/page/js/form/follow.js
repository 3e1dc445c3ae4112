// The follow-up below the chips: what is said next edits the form.

import { el, replace } from "../dom.js";
import { usualFields } from "./fields.js";

const NO_NUMBERS = new Set(["enum", "text", "date"]);
const BACK = /^(undo|back|go back)\W*$/i;
const FORTH = /^(redo|forward|go forward)\W*$/i;

export class FollowUp {
  #form;
  #input;
  #told;
  #button;
  #actions;
  #tokens = null; // what is told is about the edit that led to this form

  /** `actions` has `change(change)`, `undo()` and `redo()`. */
  constructor(form, actions) {
    this.#form = form;
    this.#actions = actions;
    this.#input = el("input", {
      id: "then",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      enterkeyhint: "go",
      "aria-describedby": "then-told",
      placeholder: "now … · only above … · sort by …",
    });
    this.#button = el("button", { text: "Go" });
    this.#told = el("p", { id: "then-told", class: "told", role: "status" });
    form.append(
      el("label", { for: "then", text: "Then" }),
      this.#input,
      this.#button,
      this.#told,
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#say(this.#input.value.trim());
    });
  }

  /** Show it below a search that has a form. */
  show({ form, parse, isEdited }) {
    const isShown = form !== null && (isEdited || !parse?.abstains);
    this.#form.hidden = !isShown;
    if (!isShown || form.tokens === this.#tokens) return;
    this.#tokens = form.tokens;
    if (!isEdited) this.#input.value = "";
    replace(this.#told);
  }

  /** Give examples that fit a form, if the domain has fields; other forms are not edited. */
  async suggest(form) {
    const fields = await usualFields();
    this.#form.hidden ||= !fields.length;
    this.#input.placeholder = examples(fields, form);
  }

  async #say(text) {
    if (!text) return;
    if (BACK.test(text) || FORTH.test(text)) {
      if (BACK.test(text)) this.#actions.undo();
      else this.#actions.redo();
      this.#input.value = "";
      return replace(this.#told);
    }
    this.#button.disabled = true;
    try {
      const edited = await this.#actions.change({ text });
      if (edited.understood) this.#input.value = "";
      replace(this.#told, ...(edited.understood ? became(edited) : [failed(edited.why)]));
    } catch (error) {
      replace(this.#told, failed(error.message));
    } finally {
      this.#button.disabled = false;
      this.#input.focus();
    }
  }
}

const failed = (why) => el("span", { class: "wrong", text: why });

/** What was added and removed, in words. */
function became({ added, removed }) {
  const told = (label, parts) =>
    parts.length
      ? el("span", {}, el("strong", { text: `${label} ` }), `${parts.join(", ")}. `)
      : null;
  return [told("Added:", added), told("Removed:", removed)];
}

/** Follow-ups that fit the form: another value of a field in it, a number, an order. */
function examples(fields, form) {
  const inForm = new Set(form.tokens);
  const enums = fields.filter((field) => field.type === "enum" && field.values.length);
  const compared = enums.find((field) => inForm.has(field.token)) ?? enums[0];
  const value = compared?.values.find(({ token }) => !inForm.has(token));
  const numbers = fields.filter((field) => !NO_NUMBERS.has(field.type) && !inForm.has(field.token));
  const [one, other] = [...numbers.filter((field) => field.default), ...numbers];
  return [
    value ? `now ${value.label}` : null,
    one ? `sort by ${short(one)}` : null,
    other && other !== one ? `show the ${short(other)}` : "top 5",
  ]
    .filter((example) => example !== null)
    .join(" · ");
}

/** What people call a field in few letters. */
function short({ label, names }) {
  const first = names[0];
  return (first && first.length < label.length ? first : label).toLowerCase();
}
