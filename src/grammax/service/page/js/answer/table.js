// The table of an answer. A click on a heading has the service sort all rows; the table shows the
// rows as they come.

import { el } from "../dom.js";
import { digitsOf, exact, isNumeric, shown, sign } from "./numbers.js";

const LISTED = 2; // of many values in one cell; the title has all

export class Table {
  #columns;
  #numeric;
  #digits;
  #rows = [];
  #body = el("tbody");
  #key;
  #row;

  /** `{answer, sort}`; the actions are `sort` and `row`, both optional. */
  constructor({ answer, sort = null, label = "Table of the answer" }, actions = {}) {
    const { columns, rows } = answer;
    this.#columns = columns;
    this.#key = answer.key ?? null;
    this.#row = actions.row;
    this.#numeric = columns.map((column, place) => isNumeric(column, rows, place));
    const headings = columns.map((_, place) => this.#heading(place, sort, actions.sort));
    this.element = el(
      "div",
      {
        class: "scroll wide",
        role: "region",
        "aria-label": label,
        tabindex: "0",
        on: { scroll: () => this.#hint() },
      },
      el("table", {}, el("thead", {}, el("tr", {}, ...headings)), this.#body),
    );
    this.add(rows);
    new ResizeObserver(() => this.#hint()).observe(this.element);
  }

  /** Whether an answer has the rows of this table, and more. */
  isBeginningOf({ columns, rows }) {
    const { length } = this.#rows;
    const isSame = columns.length === this.#columns.length && rows[0] === this.#rows[0];
    return isSame && rows.length > length && rows[length - 1] === this.#rows[length - 1];
  }

  /** Show all these rows; those that are shown already stay as they are, unless their
   * numbers need more decimals beside the new ones. */
  add(rows) {
    const digits = this.#columns.map((_, place) => digitsOf(rows.map((row) => row[place])));
    if (String(digits) !== String(this.#digits)) {
      this.#digits = digits;
      this.#rows = [];
      this.#body.replaceChildren();
    }
    this.#body.append(...rows.slice(this.#rows.length).map((row) => this.#drawn(row)));
    this.#rows = rows;
  }

  /** Show whether there is more to the side; where all columns fit, the headings stay in sight. */
  #hint() {
    const { scrollLeft, clientWidth, scrollWidth, classList } = this.element;
    classList.toggle("wide", scrollWidth > clientWidth + 1);
    classList.toggle("ends", scrollLeft + clientWidth >= scrollWidth - 1);
  }

  /** Focus the heading of a column. */
  focus(column) {
    this.element.querySelector(`th[data-column="${CSS.escape(column)}"] button`)?.focus();
  }

  #heading(place, sort, sortBy) {
    const column = this.#columns[place];
    const id = identified(this.#columns, place);
    const isSorted = sort !== null && (sort.column === id || sort.column === place);
    const direction = !isSorted ? "none" : sort.descending ? "descending" : "ascending";
    const isNumber = this.#numeric[place];
    const turns = isNumber ? ["descending", "ascending"] : ["ascending", "descending"];
    const turn = () => {
      const next = turns[turns.indexOf(direction) + 1];
      if (direction !== "none" && next === undefined) sortBy(null, null);
      else sortBy(id, next === "descending");
    };
    const words = [
      el("span", { text: column.label }),
      sign(column) ? el("small", { text: sign(column) }) : null,
    ];
    return el(
      "th",
      {
        scope: "col",
        "aria-sort": sortBy ? direction : null,
        "data-column": id,
        class: [isNumber ? "number" : "", column.default ? "default" : ""].join(" ").trim() || null,
        title: column.default ? "Shown by default" : null,
      },
      ...(sortBy ? [el("button", { type: "button", on: { click: turn } }, ...words)] : words),
    );
  }

  #drawn(row) {
    return el("tr", {}, ...row.map((_, place) => this.#cell(row, place)));
  }

  #cell(row, place) {
    const value = row[place];
    const { type, unit, field } = this.#columns[place];
    if (Array.isArray(value) && value.length > LISTED) {
      const text = `${shown(value.slice(0, LISTED), type)} +${value.length - LISTED}`;
      return el("td", { title: value.join(", "), text });
    }
    const text = shown(value, type, unit, this.#digits[place]);
    const isName = this.#row && this.#key !== null && place === nameColumn(this.#columns);
    if (isName && row[this.#key] !== null) {
      return el("td", { class: "name" }, rowLink(String(row[this.#key]), text, this.#row));
    }
    const kind = this.#numeric[place] ? "number" : field === null && place === 0 ? "key" : null;
    return el("td", { class: kind, title: exact(value, unit), text });
  }
}

/** The column that names a row. Of the leading columns that show no field, the first is the key and
 * the second, if any, the name. */
export function nameColumn(columns) {
  const fields = columns.findIndex(({ field }) => field !== null);
  return Math.max(0, Math.min(2, fields < 0 ? columns.length : fields) - 1);
}

/** What the service is told to sort by: a field, or the number of a column. */
export function identified(columns, place) {
  const { field } = columns[place];
  const isOnlyOne = columns.filter((column) => column.field === field).length === 1;
  return field !== null && isOnlyOne ? field : place;
}

/** A link to the page of a row, which a plain click opens here. */
export function rowLink(key, text, open) {
  const click = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    open(key);
  };
  const href = `#row=${encodeURIComponent(key)}`;
  return el("a", { href, "data-row": key, text, on: { click } });
}
