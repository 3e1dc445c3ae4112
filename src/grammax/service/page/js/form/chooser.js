// The chooser of a chip: a searchable list of the tokens that the grammar permits there, or an
// input for a number.

import { isAbort, post } from "../api.js";
import { el, replace } from "../dom.js";

const LIMIT = 50;
const NUMBER = /^-?\d+(\.\d+)?$/;
let opened = null;

/** Open below a chip's button; `choose(tokens, label)` is called with the tokens of the whole form
 * and the label of the new one. */
export function openChooser(button, tokens, span, choose) {
  opened?.hidePopover();
  const panel = el("div", {
    class: "chooser",
    popover: "auto",
    role: "dialog",
    "aria-label": `Change ${span.text}`,
  });
  const done = (instead, label = null) => {
    panel.hidePopover();
    const before = tokens.slice(span.from, span.to);
    if (instead.join(" ") === before.join(" ")) return;
    choose([...tokens.slice(0, span.from), ...instead, ...tokens.slice(span.to)], label);
  };
  const first =
    span.role === "number" ? numberField(panel, span, done) : list(panel, tokens, span, done);
  panel.addEventListener("toggle", (event) => {
    if (event.newState !== "closed") return;
    const focused = panel.contains(document.activeElement);
    panel.remove();
    opened = null;
    if (focused || document.activeElement === document.body) button.focus();
  });
  document.body.append(panel);
  panel.showPopover();
  below(panel, button);
  opened = panel;
  first.focus();
}

function below(panel, button) {
  const { left, bottom, top } = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = panel;
  const fits = bottom + height + 12 <= innerHeight || top < height;
  panel.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
  panel.style.top = `${fits ? bottom + 6 : top - height - 6}px`;
}

function numberField(panel, span, done) {
  const input = el("input", {
    inputmode: "decimal",
    "aria-label": "Number",
    autocomplete: "off",
    "aria-describedby": "chooser-hint",
  });
  input.value = span.text;
  const hint = el("p", {
    class: "hint",
    id: "chooser-hint",
    text: "Enter applies, Escape leaves it as it was.",
  });
  const apply = (event) => {
    event.preventDefault();
    const typed = input.value.replaceAll(/[\s,_]/g, "");
    if (NUMBER.test(typed)) return done([...typed]);
    hint.textContent = `“${input.value}” is not a number; write it like 1500 or 2.5.`;
    hint.classList.add("wrong");
  };
  panel.append(
    el("form", { on: { submit: apply } }, input, el("button", { class: "primary", text: "Apply" })),
    hint,
  );
  queueMicrotask(() => input.select());
  return input;
}

function list(panel, tokens, span, done) {
  const input = el("input", {
    type: "search",
    role: "combobox",
    "aria-expanded": "true",
    "aria-controls": "choices",
    "aria-autocomplete": "list",
    "aria-label": "Search what the grammar permits here",
    placeholder: "Search",
    autocomplete: "off",
  });
  const options = el("ul", { role: "listbox", id: "choices", "aria-label": "Permitted here" });
  const hint = el("p", { class: "hint", role: "status" });
  let active = -1;
  let found = [];
  let request = new AbortController();

  const activate = (place) => {
    active = Math.max(0, Math.min(place, found.length - 1));
    [...options.children].forEach((option, at) =>
      option.setAttribute("aria-selected", String(at === active)),
    );
    options.children[active]?.scrollIntoView({ block: "nearest" });
    if (found.length) input.setAttribute("aria-activedescendant", `choice-${active}`);
    else input.removeAttribute("aria-activedescendant");
  };
  const look = async () => {
    request.abort();
    request = new AbortController();
    const { signal } = request;
    const asked = { tokens, place: span.from, search: input.value.trim(), limit: LIMIT };
    try {
      const { choices, permitted } = await post("next", asked, { signal });
      found = choices;
      replace(
        options,
        ...choices.map((choice, at) =>
          option(choice, at, choice.token === tokens[span.from], done),
        ),
      );
      hint.textContent = counted(choices.length, permitted, asked.search);
      activate(
        Math.max(
          0,
          asked.search ? 0 : choices.findIndex(({ token }) => token === tokens[span.from]),
        ),
      );
    } catch (error) {
      if (!isAbort(error)) hint.textContent = error.message;
    }
  };
  input.addEventListener("input", look);
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step) activate(active + step);
    else if (event.key === "Enter" && found[active]) done([found[active].token], found[active].label);
    else return;
    event.preventDefault();
  });
  panel.append(input, options, hint);
  look();
  return input;
}

function option(choice, at, current, done) {
  return el(
    "li",
    {
      role: "option",
      id: `choice-${at}`,
      class: current ? "current" : null,
      title: choice.token,
      on: { click: () => done([choice.token], choice.label) },
    },
    el("span", { text: choice.label }),
  );
}

function counted(count, permitted, search) {
  const all = permitted.toLocaleString("en");
  if (!count) return `None of the ${all} that the grammar permits here has such a name.`;
  if (permitted === 1) return "The grammar permits nothing else here.";
  if (search) return `Found among the ${all} that the grammar permits here.`;
  return count < permitted
    ? `The first ${count} of the ${all} that the grammar permits here.`
    : `All ${all} that the grammar permits here.`;
}

/** Close it, if it is open. */
export function closeChooser() {
  opened?.hidePopover();
}
