// The domain that is served: its sample queries, the noun for its rows, and whether it answers.
// If it does not, the page shows logical forms only.

import { ServiceError, pause, post } from "../api.js";
import { byId } from "../dom.js";
import { started } from "../startup.js";
import { showExamples } from "./samples.js";

const RESULTS = "results"; // what the rows of a domain without nouns are called
const AGAIN = 250; // milliseconds
const UNKNOWN = { name: "", answers: true, samples: [], examples: [], noun: "result", nouns: RESULTS };

const FIRST_RUN =
  "Filter {} by what they are, compare their numbers, rank them, show columns, or count and average by group.";

let described = UNKNOWN;
const domain = started()
  .then(fetched)
  .then((found) => (described = found));

/** Whether queries are answered, and not only parsed. */
export const answers = domain.then((found) => found.answers);

async function fetched() {
  const response = await fetch("domain").catch(() => null);
  if (response?.status === 503) return pause(AGAIN).then(fetched); // of a worker that still loads
  return response?.ok ? response.json() : UNKNOWN;
}

/** The number of rows with their noun: "one film", "3 films". */
export function counted(number, text = number.toLocaleString("en")) {
  return number === 1 ? `one ${described.noun}` : `${text} ${described.nouns}`;
}

/** What a row is called, in the singular and in the plural. */
export const nouns = () => [described.noun, described.nouns];

/** The sort of query that the domain expects, for messages. */
export function expected() {
  const { name, nouns } = described;
  return nouns === RESULTS ? `a query of ${name}` : `a search for ${nouns}`;
}

/** Show the examples and the description of the domain; `ask(query)` is called on a click. */
export async function introduce(place, ask) {
  const { name, nouns, samples, examples, answers, has_fields } = await domain;
  showExamples(place, ask, examples?.length ? examples : [{ category: "", queries: samples }]);
  place.closest("section").hidden = !samples.length;
  byId("fields").hidden = !has_fields;
  if (nouns !== RESULTS) byId("first").textContent = FIRST_RUN.replace("{}", nouns);
  byId("query").placeholder = samples[0] ?? "";
  if (name) document.title = `${name} – grammax`;
  if (!answers) byId("tagline").textContent = `${name}: queries are parsed while you type.`;
  else if (nouns !== RESULTS)
    byId("tagline").textContent = `Ask for ${nouns} in plain English; the answer appears while you type.`;
}

/** A form with other tokens, of which the new one has this label; the grammar is asked first. */
export async function reformed(form, tokens, label, options) {
  const { may_end: complete } = await post("next", { tokens, limit: 1 }, options);
  if (!complete)
    throw new ServiceError("This is not a complete logical form.", "Choose something else.");
  const known = new Map(form.chips.map((chip) => [chip.token, chip]));
  const fresh = { label, kind: "", role: "value", editable: true, depth: 0 };
  const chips = tokens.map((token, place) => {
    const chip = known.get(token) ?? { ...fresh, token, label: label ?? token };
    return { ...chip, place };
  });
  const lf = tokens.join(" ");
  return { ...form, tokens, chips, lf, paraphrase: lf };
}
