// The page of a language that is not equity search: it says so, shows queries of that language, and
// where nothing answers it shows logical forms alone.

import { ServiceError, post } from "./api.js";
import { byId } from "./dom.js";
import { showSamples } from "./samples.js";

const OWN = "eqs"; // the language that the page was written for
const domain = fetch("domain").then(
  (response) => (response.ok ? response.json() : { name: OWN, answers: true }),
  () => ({ name: OWN, answers: true }),
);

/** Whether queries are answered, and not only parsed. */
export const answers = domain.then((told) => told.answers);

let looked = "a search for companies";

/** What the language is for. */
export const wanted = () => looked;

/** Samples, and for another language its own words; `ask(query)` is called on a click. */
export async function introduce(list, ask) {
  const { name, samples } = await domain;
  if (name === OWN) return showSamples(list, ask);
  looked = `a query of ${name}`;
  showSamples(list, ask, samples);
  list.closest("section").hidden = !samples.length;
  byId("query").placeholder = samples[0] ?? "";
  document.title = `${name} – grammax`;
  document.querySelector(".tagline").textContent = `${name}: queries parsed while you type.`;
  document.querySelector(".foot").hidden = true; // it speaks of equities
}

/** A form with other tokens, of which the new one has this label; the grammar is asked first. */
export async function reformed(form, tokens, label, options) {
  const { may_end: complete } = await post("next", { tokens, limit: 1 }, options);
  if (!complete) throw new ServiceError("This is no whole logical form.", "Choose something else.");
  const known = new Map(form.chips.map((chip) => [chip.token, chip]));
  const fresh = { label, kind: "", role: "value", editable: true, depth: 0 };
  const chips = tokens.map((token, place) => {
    const chip = known.get(token) ?? { ...fresh, token, label: label ?? token };
    return { ...chip, place };
  });
  const lf = tokens.join(" ");
  return { ...form, tokens, chips, lf, paraphrase: lf };
}
