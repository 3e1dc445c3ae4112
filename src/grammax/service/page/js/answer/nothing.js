// Why an answer is empty: what each condition removes, and what remains without it, or with it
// alone.

import { el } from "../dom.js";
import { counted } from "../query/domain.js";

/** A list of conditions, `[{condition, tokens, remaining, has_data, alone, alone_tokens}]`, with
 * buttons to leave one out or, where that does not help, all others. */
export function nothing(diagnosis, { run }) {
  const lacking = diagnosis.filter((each) => !each.has_data);
  const helpful = diagnosis.filter((each) => each.remaining > 0 && each.tokens.length);
  const why = lacking.length
    ? `There are no data for: ${lacking.map((each) => each.condition).join("; ")}.`
    : helpful.length === 1
      ? `One condition removes everything: ${helpful[0].condition}.`
      : helpful.length
        ? "There are data, but nothing satisfies all conditions at once."
        : "Leaving out one condition is not enough.";
  const never = lacking.length ? [] : diagnosis.filter(({ alone }) => alone === 0);
  const choices = helpful.length
    ? helpful.map(({ condition, tokens, remaining }) => [`without ‘${condition}’: `, remaining, tokens])
    : diagnosis
        .filter(({ alone }) => alone > 0)
        .map(({ condition, alone, alone_tokens }) => [`only ‘${condition}’: `, alone, alone_tokens]);
  return el(
    "div",
    { class: "nothing" },
    el("p", { text: why }),
    ...never.map((each) => el("p", { text: `Nothing satisfies ‘${each.condition}’, even alone.` })),
    choices.length
      ? el(
          "ul",
          {},
          ...choices.map(([text, rows, tokens]) =>
            el(
              "li",
              {},
              el(
                "button",
                { type: "button", on: { click: () => run(tokens) } },
                el("span", { text }),
                el("strong", { text: counted(rows) }),
              ),
            ),
          ),
        )
      : null,
  );
}
