// Panels below a button, and the searchable list in them, by the ARIA combobox pattern.

import { isAbort } from "../api.js";
import { el, replace } from "../dom.js";

let opened = null;
let anchor = null; // the button of the panel

/** Open a panel below a button; `fill(panel)` puts contents into it and returns what to focus. */
export function openPanel(button, label, fill) {
  closePanel();
  const panel = el("div", {
    class: "chooser",
    popover: "auto",
    role: "dialog",
    "aria-label": label,
  });
  panel.addEventListener("toggle", (event) => {
    if (event.newState !== "closed") return;
    const focused = panel.contains(document.activeElement);
    panel.remove();
    if (opened === panel) opened = null;
    if (focused || document.activeElement === document.body) again(button)?.focus();
  });
  document.body.append(panel);
  const first = fill(panel);
  panel.showPopover();
  below(panel, button);
  opened = panel;
  anchor = button;
  first.focus();
  return panel;
}

/** Close the panel, if one is open. */
export function closePanel() {
  opened?.hidePopover();
}

/** Fill a panel anew, as the next step of a choice. */
export function refill(panel, button, fill) {
  replace(panel);
  const first = fill(panel);
  below(panel, button);
  first.focus();
}

/** The button, or the one that was drawn in its place. */
function again(button) {
  const { place } = button.dataset;
  return button.isConnected ? button : document.querySelector(`.chip[data-place="${place}"]`);
}

function below(panel, button) {
  const { left, bottom, top } = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = panel;
  const fits = bottom + height + 12 <= innerHeight || top < height;
  panel.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
  panel.style.top = `${Math.max(8, fits ? bottom + 6 : top - height - 6)}px`;
}

/** Put a search and a list into a panel. `look(text, signal)` resolves to `{options, status}`,
 * options being `{token, label, detail}`; `choose(option)` takes one. Returns the input. */
export function list(panel, { label, of, current = null, look, choose }) {
  const input = el("input", {
    type: "search",
    role: "combobox",
    "aria-expanded": "true",
    "aria-controls": "choices",
    "aria-autocomplete": "list",
    "aria-label": label,
    placeholder: "Search",
    autocomplete: "off",
  });
  const options = el("ul", { role: "listbox", id: "choices", "aria-label": of });
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
  const search = async () => {
    request.abort();
    request = new AbortController();
    const { signal } = request;
    const text = input.value.trim();
    try {
      const shown = await look(text, signal);
      if (signal.aborted) return;
      found = shown.options;
      replace(options, ...found.map((one, at) => option(one, at, one.token === current, choose)));
      hint.textContent = shown.status;
      if (opened) below(opened, anchor); // lists have different heights
      activate(text ? 0 : found.findIndex(({ token }) => token === current));
    } catch (error) {
      if (!isAbort(error)) hint.textContent = error.message;
    }
  };
  input.addEventListener("input", search);
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step) activate(active + step);
    else if (event.key === "Enter" && found[active]) choose(found[active]);
    else if (event.key !== "Enter") return;
    event.preventDefault();
  });
  panel.append(input, options, hint);
  search();
  return input;
}

function option(one, at, isCurrent, choose) {
  return el(
    "li",
    {
      role: "option",
      id: `choice-${at}`,
      class: isCurrent ? "current" : null,
      title: one.token,
      on: { click: () => choose(one) },
    },
    el("span", { text: one.label }),
    one.detail ? el("small", { text: one.detail }) : null,
  );
}
