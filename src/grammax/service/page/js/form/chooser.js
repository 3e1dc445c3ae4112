// The chooser of a chip: a searchable list of the tokens that the grammar permits there, or an
// input for a number.

import { post } from "../api.js";
import { fieldOf } from "./values.js";
import { numberInput } from "./number.js";
import { closePanel, list, openPanel } from "./picker.js";

const LIMIT = 50;
const NUMBER = /^-?\d+(\.\d+)?$/;

/** Open below a chip's button. `choose(tokens, label)` runs another form; `change(change)` has the
 * service change this one, and resolves to what it made of it. */
export function openChooser(button, tokens, span, { choose, change }) {
  let previewed = null; // the number that the slider led to
  const instead = (others) => [...tokens.slice(0, span.from), ...others, ...tokens.slice(span.to)];
  openPanel(button, `Change ${span.text}`, (panel) =>
    span.isNumber
      ? numberInput(panel, {
          text: span.text,
          label: "Number",
          field: span.field ? fieldOf(span.field) : Promise.resolve(null),
          async preview(text) {
            await change({ set_number: { place: span.from, text } });
            previewed = text;
          },
          async apply(text) {
            if (text === (previewed ?? span.text)) return done();
            if (span.isPlain && NUMBER.test(text)) {
              done();
              choose(instead([...text]), text);
              return "";
            }
            const made = await change({ set_number: { place: span.from, text } });
            return made.understood ? done() : made.why;
          },
        })
      : list(panel, {
          label: "Search what fits here",
          of: "Choices",
          current: tokens[span.from],
          look: (search, signal) => permittedAt(tokens, span.from, search, signal),
          choose(option) {
            closePanel();
            if (option.token !== tokens[span.from]) choose(instead([option.token]), option.label);
          },
        }),
  );
}

function done() {
  closePanel();
  return "";
}

/** What the grammar permits at a position: `{options, status}`. */
export async function permittedAt(tokens, place, search, signal) {
  const asked = { tokens, place, search, limit: LIMIT };
  const { choices, permitted } = await post("next", asked, { signal });
  return { options: choices, status: counted(choices.length, permitted, search) };
}

function counted(count, permitted, search) {
  const all = permitted.toLocaleString("en");
  if (!count) return `None of the ${all} choices has such a name.`;
  if (permitted === 1) return "Nothing else fits here.";
  if (search) return `Found among ${all} choices.`;
  return count < permitted ? `The first ${count} of ${all} choices.` : `${all} choices.`;
}
