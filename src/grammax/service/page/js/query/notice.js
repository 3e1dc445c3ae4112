// Messages beside the answer: errors for everyone, results for screen readers.

import { byId, el, replace } from "../dom.js";

const CALM = 700; // milliseconds without anything new before a screen reader is told
let saying = 0;

/** Show `{message, hint}`, or nothing any more. */
export function complain(error) {
  const notice = byId("notice");
  notice.hidden = error === null;
  const hint = error?.hint ? ` ${error.hint}` : null;
  replace(notice, ...(error ? [el("strong", { text: error.message }), hint] : []));
}

/** Tell a screen reader, once nothing more is typed. */
export function say(text) {
  clearTimeout(saying);
  saying = setTimeout(() => (byId("status").textContent = text), CALM);
}
