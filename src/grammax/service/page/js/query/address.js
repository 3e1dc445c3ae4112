// The address of the page holds what is searched for, so that links, bookmarks, and going back and
// forward work: #q=long%20films&lf=…&sort=-FLD_GROSS&row=12. An `lf` is there only if the form is
// not the parser's own reading.

const REST = 1500; // milliseconds after which a query that was being typed is a step of the history

let isSettled = true; // whether the next change is a new step
let timer = 0;

/** The part of an address after the path. */
export function addressOf({ query, lf, sort, row }) {
  const order = sort ? `${sort.descending ? "-" : ""}${sort.column}` : null;
  const parts = Object.entries({ q: query, lf, sort: order, row });
  const given = parts.filter(([, value]) => value !== null && value !== "");
  return given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
}

/** Write the address. A step gets an entry of the history; a query that is being typed replaces the
 * last one, unless that has rested. */
export function writeAddress(search, isStep) {
  const hash = addressOf(search);
  clearTimeout(timer);
  if (hash !== location.hash.slice(1)) {
    const address = hash ? `#${hash}` : location.pathname + location.search;
    if (isSettled || isStep) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
    isSettled = false;
  }
  if (isStep) settle();
  else timer = setTimeout(settle, REST);
}

/** The next change is a new step. */
export function settle() {
  isSettled = true;
}

/** `{query, lf, sort, row}` of the address; null for what it lacks. */
export function readAddress() {
  const parts = new Map(
    location.hash
      .slice(1)
      .split("&")
      .map((part) => {
        const at = part.indexOf("=");
        return [part.slice(0, at), decoded(part.slice(at + 1))];
      }),
  );
  const get = (name) => parts.get(name) || null;
  return { query: get("q"), lf: get("lf"), sort: sortOf(get("sort")), row: get("row") };
}

function sortOf(text) {
  if (text === null) return null;
  const descending = text.startsWith("-");
  const column = descending ? text.slice(1) : text;
  return { column: /^\d+$/.test(column) ? Number(column) : column, descending };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // someone wrote it by hand: "50%"
  }
}
