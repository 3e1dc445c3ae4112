// An input for a number or a date as people type it, with a slider between usual values.

import { pause } from "../api.js";
import { el } from "../dom.js";
import { STEPS, scaleOf, typed, valueOf } from "./values.js";

const HINT = "Enter applies, Escape closes.";
const FIVE_DIGITS = /^\d{5,}/;
const PAUSE = 60; // milliseconds between two values of a slider that is moved

/** Put the input into a panel. `field` resolves to the field that is compared, or to null;
 * `apply(text)` resolves to why it was refused, or to an empty text; `preview(text)` shows what the
 * slider is moved to. Returns the input. */
export function numberInput(panel, { text, label, field, preview = null, apply }) {
  const input = el("input", {
    "aria-label": label,
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": "chooser-hint",
  });
  input.value = text;
  const hint = el("p", { class: "hint", id: "chooser-hint", role: "status" });
  if (!matchMedia("(hover: none)").matches) hint.textContent = HINT;
  const submit = async (event) => {
    event.preventDefault();
    const why = input.value.trim()
      ? await apply(input.value.trim()).catch((error) => error.message)
      : "Type a number, such as 1500, 2.5 or 2bn.";
    if (!why) return;
    hint.textContent = why;
    hint.classList.add("wrong");
  };
  const range = el("div", { class: "range" });
  panel.append(
    el(
      "form",
      { on: { submit } },
      input,
      el("button", { class: "primary", text: "Apply" }),
    ),
    range,
    hint,
  );
  queueMicrotask(() => input.select());
  field.then(
    (found) => found && range.append(...helpers(found, input, preview && latest(preview))),
    () => {}, // typing is enough
  );
  return input;
}

/** Calls a function with the newest value only, one at a time. */
function latest(work) {
  let waiting = null;
  let isBusy = false;
  return async (value) => {
    waiting = value;
    if (isBusy) return;
    isBusy = true;
    try {
      while (waiting !== null) {
        const now = waiting;
        waiting = null;
        await work(now);
        await pause(PAUSE);
      }
    } catch {
      waiting = null; // "Apply" tells what is wrong
    } finally {
      isBusy = false;
    }
  };
}

function helpers(field, input, preview) {
  if (field.type === "date") return [calendar(input)];
  const { low, high, type } = field;
  if (low === null || high === null || !(low < high)) return [];
  const { valueAt, stepOf } = scaleOf(field);
  const slider = el("input", {
    type: "range",
    min: 0,
    max: STEPS,
    "aria-label": `${field.label}, between usual values`,
  });
  const place = () => {
    const value = valueOf(input.value);
    slider.value = Number.isNaN(value) ? STEPS / 2 : stepOf(value);
    slider.setAttribute("aria-valuetext", input.value);
  };
  place();
  input.addEventListener("input", place);
  slider.addEventListener("input", () => {
    input.value = typed(valueAt(Number(slider.value)), type);
    slider.setAttribute("aria-valuetext", input.value);
    preview?.(input.value);
  });
  const end = (value) =>
    el("small", { text: typed(value, type).replace(FIVE_DIGITS, (all) => Number(all).toLocaleString("en")) });
  return [
    end(low),
    slider,
    end(high),
  ];
}

function calendar(input) {
  const day = el("input", { type: "date", "aria-label": "Choose a day" });
  day.addEventListener("input", () => {
    if (!day.value) return;
    const [year, month, date] = day.value.split("-").map(Number);
    const name = new Date(Date.UTC(2000, month - 1, 1));
    const long = name.toLocaleString("en", { month: "long", timeZone: "UTC" });
    input.value = `${date} ${long.toLowerCase()} ${year}`;
  });
  return day;
}
