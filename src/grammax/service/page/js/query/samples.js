// Sample queries.

import { el, replace } from "../dom.js";

/** Links that also work when opened in a new tab; `ask(query)` is called on a click. */
export function showSamples(list, ask, samples) {
  replace(
    list,
    ...samples.map((query) =>
      el(
        "li",
        {},
        el("a", {
          href: `#q=${encodeURIComponent(query)}`,
          text: query,
          on: {
            click: (event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              ask(query);
            },
          },
        }),
      ),
    ),
  );
}
