// Other readings of a query, where the parser is unsure.

import { el, replace } from "../dom.js";

const SURE = 0.75; // from here on the first reading stands alone
const WORTH = 0.02; // less probable readings are not worth a line

export const isUnsure = ({ abstains, confidence }) => abstains || confidence < SURE;

/** Show the readings to choose from, if there is a doubt; `choose(alternative)` takes one. */
export function showReadings(section, parse, choose) {
  const offered = parse ? readings(parse) : [];
  section.hidden = offered.length === 0;
  if (!offered.length) return;
  section.querySelector("h2").textContent = parse.abstains
    ? "The nearest readings"
    : "Or did you mean";
  replace(section.querySelector("ol"), ...offered.map((one) => el("li", {}, button(one, choose))));
}

/** All readings if the parser abstained, the others if it is unsure, else none. */
function readings({ abstains, confidence, lf, alternatives = [] }) {
  const others = alternatives.filter((one) => one.lf !== lf && one.probability >= WORTH);
  return distinct(abstains ? alternatives : confidence < SURE ? others : []);
}

/** The readings without those that have the same text as an earlier one. */
function distinct(alternatives) {
  const seen = new Set();
  return alternatives.filter(({ paraphrase }) => !seen.has(paraphrase) && seen.add(paraphrase));
}

function button(alternative, choose) {
  return el(
    "button",
    {
      type: "button",
      class: "link",
      title: alternative.lf,
      on: { click: () => choose(alternative) },
    },
    el("span", { text: alternative.paraphrase }),
    el("small", { text: percent(alternative.probability) }),
  );
}

/** "98 %", never 0 or 100. */
export function percent(share) {
  return `${Math.min(99, Math.max(1, Math.round(100 * share)))} %`;
}
