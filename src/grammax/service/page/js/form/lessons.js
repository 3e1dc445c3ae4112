// What a correction teaches: words that the service offers to remember, and what became of them.

import { post } from "../api.js";
import { byId, el, replace } from "../dom.js";

/** Store a correction. Returns what could be remembered at once, and when the rest is used. */
export async function remember(query, lf) {
  const { offers, note } = await post("corrections", { query, lf });
  return { offers, note };
}

/** A text whose commands, in backticks, are drawn as code. */
export function withCode(text) {
  return text.split("`").map((piece, at) => (at % 2 ? el("code", { text: piece }) : piece));
}

/** Buttons that teach the offered words; `taught(change)` is called with what was learnt. */
export function offered(offers, { taught, failed }) {
  return offers.map((offer) => {
    const text = `Remember that ‘${offer.word}’ means ${offer.meaning}`;
    const teach = async (event) => {
      const button = event.currentTarget;
      button.disabled = true;
      try {
        const { word, token, field } = offer;
        taught(await post("teach", { word, token, field }));
      } catch (error) {
        button.disabled = false;
        failed(error);
      }
    };
    return el("button", { type: "button", class: "offer", text, on: { click: teach } });
  });
}

/** Show what was learnt and where it is written, or hide it. */
export function showLearnt(learnt) {
  const place = byId("learnt");
  place.hidden = learnt === null;
  if (learnt === null) return replace(place);
  const { change, file, line } = learnt;
  const where = line ? `${file}, line ${line}` : file;
  replace(
    place,
    el("strong", { text: `${change.charAt(0).toUpperCase()}${change.slice(1)}` }),
    ` It is used from now on (${where}).`,
  );
}
