// Other readings of a query, where the parser is unsure: two side by side, with the rows of each.

import { post } from "../api.js";
import { el, replace } from "../dom.js";
import { counted } from "../query/domain.js";

const SURE = 0.75; // from here on the first reading stands alone
const WORTH = 0.02; // less probable readings are not worth a line
const BESIDE = 2; // readings that are shown side by side

export const isUnsure = ({ abstains, confidence }) => abstains || confidence < SURE;

/** Show the readings to choose from, if there is a doubt, and mark the one that is taken, given by
 * its form; `choose(alternative)` takes one. */
export function showReadings(section, parse, taken, choose) {
  const offered = parse ? readings(parse) : [];
  section.hidden = offered.length === 0;
  if (!offered.length) return;
  section.querySelector("h2").textContent = parse.abstains
    ? "The nearest readings"
    : "Which one do you mean?";
  replace(
    section.querySelector("ol"),
    ...offered.map((one, at) =>
      el("li", { class: at < BESIDE ? "beside" : null }, button(one, one.lf === taken, choose)),
    ),
  );
}

/** The parse with the number of rows of the readings that are shown. */
export async function withCounts(parse, options) {
  const totals = new Map();
  for (const { lf, tokens } of readings(parse)) {
    const { answer } = await post("run", { tokens, rows: 1 }, options);
    totals.set(lf, answer.summary ? { groups: answer.total } : { rows: answer.total });
  }
  const alternatives = parse.alternatives.map((one) =>
    totals.has(one.lf) ? { ...one, total: totals.get(one.lf) } : one,
  );
  return { ...parse, alternatives };
}

/** The readings if the parser is unsure and there is another than the first one. */
function readings(parse) {
  const { abstains, lf, alternatives = [] } = parse;
  if (!isUnsure(parse)) return [];
  const worth = alternatives.filter(
    (one, at) => (abstains ? at === 0 : one.lf === lf) || one.probability >= WORTH,
  );
  const found = distinct(worth);
  return abstains || found.length > 1 ? found : [];
}

/** The readings without those that have the same text as an earlier one. */
function distinct(alternatives) {
  const seen = new Set();
  return alternatives.filter(({ paraphrase }) => !seen.has(paraphrase) && seen.add(paraphrase));
}

function button(alternative, isTaken, choose) {
  const { lf, paraphrase, total } = alternative;
  return el(
    "button",
    {
      type: "button",
      class: "link",
      title: lf,
      "aria-current": isTaken ? "true" : null,
      on: { click: () => choose(alternative) },
    },
    el("span", { text: paraphrase }),
    el("small", { text: size(total) ?? "" }),
  );
}

/** "12 films" of `{rows}`, "12 groups" of `{groups}`. */
function size({ rows, groups } = {}) {
  if (rows === null || groups === null) return "many rows";
  if (groups !== undefined) return groups === 1 ? "one group" : `${groups} groups`;
  return rows === undefined ? null : counted(rows);
}

/** "98 %", never 0 or 100. */
export function percent(share) {
  return `${Math.min(99, Math.max(1, Math.round(100 * share)))} %`;
}
