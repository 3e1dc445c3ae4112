// Why an answer is empty: what each condition removes, and what remains without it.

import { el } from "../dom.js";
import { counted } from "../query/domain.js";

/** A list of conditions, `[{condition, tokens, remaining, has_data}]`, with buttons to leave one
 * out. */
export function nothing(diagnosis, { run }) {
  const lacking = diagnosis.filter((each) => !each.has_data);
  const helpful = diagnosis.filter((each) => each.remaining > 0 && each.tokens.length);
  const why = lacking.length
    ? `There are no data for: ${lacking.map((each) => each.condition).join("; ")}.`
    : helpful.length === 1
      ? `One condition removes everything: ${helpful[0].condition}.`
      : helpful.length
        ? "There are data, but nothing satisfies all conditions at once."
        : "Nothing is left even without any one of the conditions.";
  return el(
    "div",
    { class: "nothing" },
    el("p", { text: why }),
    helpful.length
      ? el(
          "ul",
          {},
          ...helpful.map(({ condition, tokens, remaining }) =>
            el(
              "li",
              {},
              el(
                "button",
                { type: "button", on: { click: () => run(tokens) } },
                el("span", { text: `without ‘${condition}’: ` }),
                el("strong", { text: counted(remaining) }),
              ),
            ),
          ),
        )
      : null,
  );
}
