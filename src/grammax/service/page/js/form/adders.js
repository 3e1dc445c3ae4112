// What changes the form: the buttons "+ filter" and "+ column", and the panels that open below them
// and below chips, which are loaded when they are needed.

import { el, replace } from "../dom.js";
import { usualFields } from "./fields.js";

/** Show the two buttons, if the domain has fields; `actions.change(change)` has the service change
 * the form. */
export async function showAdders(place, actions) {
  const fields = await usualFields();
  place.hidden = !fields.length;
  if (fields.length && !place.childElementCount)
    replace(place, adder("filter", actions), adder("column", actions));
}

/** Open the chooser of a chip. */
export async function openChooser(...given) {
  (await import("./chooser.js")).openChooser(...given);
}

/** Close the panel that is open, if there is one. */
export function closePanel() {
  document.querySelector(".chooser")?.hidePopover();
}

function adder(what, { change, complain }) {
  const open = async () => {
    try {
      (await import("./add.js")).openAdder(button, what, change);
    } catch (error) {
      complain(error);
    }
  };
  const button = el("button", {
    type: "button",
    class: "adder",
    "aria-haspopup": "dialog",
    "aria-label": `Add a ${what}`,
    text: `+ ${what}`,
    on: { click: open, pointerenter: () => import("./add.js").catch(() => {}) },
  });
  return button;
}
