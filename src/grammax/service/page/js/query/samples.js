// Example queries, by what they show.

import { el, replace } from "../dom.js";

/** Show groups `[{category, queries}]`; `ask(query)` is called on a click. */
export function showExamples(place, ask, groups) {
  replace(
    place,
    ...groups.map(({ category, queries }) =>
      el(
        "div",
        {},
        category ? el("h3", { text: category }) : null,
        el("ul", {}, ...queries.map((query) => el("li", {}, link(query, ask)))),
      ),
    ),
  );
}

/** A link that also works when it is opened in a new tab. */
function link(query, ask) {
  const click = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    ask(query);
  };
  return el("a", { href: `#q=${encodeURIComponent(query)}`, text: query, on: { click } });
}
