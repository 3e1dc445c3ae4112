// The table of an answer; clicks on a heading sort it ascending, descending, and not at all.

import { el, replace } from "../dom.js";
import { exact, isNumeric, shown, sign } from "./numbers.js";

const LISTED = 2; // of many values in one cell; the title has all

/** The element, and `rows()` in the displayed order. Columns of numbers follow the names, so that a
 * phone shows them first. */
export function table({ columns, rows, summary }) {
  const numeric = columns.map((column, place) => isNumeric(column, rows, place));
  const rank = (place) =>
    summary ? 0 : numeric[place] ? 1 : columns[place].field === null ? 0 : 2;
  const shownPlaces = columns.map((_, place) => place).sort((a, b) => rank(a) - rank(b));
  const body = el("tbody");
  let order = rows;
  const sortBy = (place, direction) => {
    order = direction === "none" ? rows : [...rows].sort(comparing(place, direction));
    replace(body, ...order.map((row) => drawnRow(row, columns, numeric, shownPlaces)));
  };
  const headings = columns.map((column, place) =>
    heading(column, numeric[place], (direction) => {
      for (const other of headings) other.setAttribute("aria-sort", "none");
      headings[place].setAttribute("aria-sort", direction);
      sortBy(place, direction);
    }),
  );
  sortBy(0, "none");
  const element = el(
    "div",
    { class: "scroll", role: "region", "aria-label": "Table of the answer", tabindex: "0" },
    el(
      "table",
      {},
      el("thead", {}, el("tr", {}, ...shownPlaces.map((place) => headings[place]))),
      body,
    ),
  );
  return { element, rows: () => order };
}

function heading(column, numeric, sort) {
  const turns = numeric ? ["descending", "ascending", "none"] : ["ascending", "descending", "none"];
  const turn = () =>
    sort(turns[(turns.indexOf(cell.getAttribute("aria-sort")) + 1) % turns.length]);
  const cell = el(
    "th",
    { scope: "col", "aria-sort": "none", class: numeric ? "number" : null },
    el(
      "button",
      { type: "button", on: { click: turn } },
      el("span", { text: column.label }),
      sign(column.unit) ? el("small", { text: sign(column.unit) }) : null,
    ),
  );
  return cell;
}

function drawnRow(row, columns, numeric, places) {
  return el(
    "tr",
    {},
    ...places.map((place) => {
      const value = row[place];
      const { type, unit, field } = columns[place];
      if (Array.isArray(value) && value.length > LISTED) {
        const text = `${shown(value.slice(0, LISTED), type)} +${value.length - LISTED}`;
        return el("td", { title: value.join(", "), text });
      }
      const kind = numeric[place] ? "number" : field === null && place === 0 ? "key" : null;
      return el("td", { class: kind, title: exact(value, unit), text: shown(value, type, unit) });
    }),
  );
}

/** Numbers by size, texts alphabetically, missing values last in either direction. */
function comparing(place, direction) {
  const way = direction === "ascending" ? 1 : -1;
  const missing = (value) => value === null || value === undefined;
  return (one, other) => {
    const [a, b] = [one[place], other[place]];
    if (missing(a) || missing(b)) return missing(a) - missing(b);
    if (typeof a === "number" && typeof b === "number") return way * (a - b);
    return way * String(a).localeCompare(String(b), "en", { numeric: true });
  };
}
