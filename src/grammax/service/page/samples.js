// Queries of the paper, to begin with.

import { el, replace } from "./dom.js";

const SAMPLES = [
  "steel western europe not german",
  "return on capital sp500",
  "auto nysex last quarter mcap > $1bn",
  "Top 10 European non-German tech firms sorted by p/b ratio",
  "What are the top five Asian tech companies?",
];

/** Links that also work when opened in a new tab; `ask(query)` is called on a click. */
export function showSamples(list, ask, samples = SAMPLES) {
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
