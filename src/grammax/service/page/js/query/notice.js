// Messages beside the answer: errors for everyone, results for screen readers.

import { byId, el, replace } from "../dom.js";

const CALM = 700; // milliseconds without anything new before a screen reader is told
let saying = 0;

/** Show `{message, hint}`, or hide the notice. */
export function complain(error) {
  const notice = byId("notice");
  notice.hidden = error === null;
  const hint = error?.hint ? ` ${error.hint}` : null;
  replace(notice, ...(error ? [el("strong", { text: error.message }), hint] : []));
}

/** Announce a text to screen readers, once the user stops typing. */
export function say(text) {
  clearTimeout(saying);
  saying = setTimeout(() => (byId("status").textContent = text), CALM);
}
