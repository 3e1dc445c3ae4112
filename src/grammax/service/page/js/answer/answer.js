// The answer: the number of rows, the table, and what follows it: a chart, or all values of the
// only row. What follows is loaded and drawn after the table.

import { el, byId, replace } from "../dom.js";
import { isAbort, pause } from "../api.js";
import { counted as rowsCounted } from "../query/domain.js";
import { saveAs } from "./files.js";
import { nothing } from "./nothing.js";
import { generated, groupsCounted } from "./numbers.js";
import { Table } from "./table.js";

const BEFORE_REQUESTS = 90; // milliseconds without another answer, as those delay the next one
const STEPS = [100, 500]; // rows that are added first, and then
const MOST_AT_ONCE = 1000; // rows that the service gives in one answer
const KNOWN_FROM_COUNT = /^Showing /; // a note that says what the count above the table says

let shown = null; // {form, answer, table, more, ...} on the screen
let following = new AbortController(); // of what follows the table that is shown

/** Show an answer: `{form, answer, sort, query}`. */
export function showAnswer(section, data, actions) {
  const { form, answer } = data;
  following.abort();
  section.hidden = answer === null;
  if (answer === null) {
    shown = null;
    return replace(section);
  }
  following = new AbortController();
  if (answer.synthetic) byId("foot").hidden = false;
  const before = section.contains(shown?.after) ? shown : null;
  if (before && before.form.tokens === form.tokens && before.table?.isBeginningOf(answer)) {
    shown = { ...before, answer };
    before.table.add(answer.rows);
    before.header.replaceWith((shown.header = header(data, actions)));
    const hadFocus = before.rest.contains(document.activeElement);
    before.rest.replaceWith((shown.rest = rest(answer, actions)));
    if (hadFocus) (shown.rest.querySelector("button") ?? section).focus({ preventScroll: true });
  } else {
    shown = drawn(section, data, actions, before);
  }
  follow(shown.after, data, actions, following.signal);
}

/** Open the page of one row; its module is loaded when it is first needed. */
export async function showRow(section, key, actions) {
  const { rowPage } = await import("./row.js");
  return rowPage(section, key, actions);
}

/** "Showing 20 of 83 films", "46 groups". */
export function counted({ rows, total, more, summary }) {
  if (!rows.length) return `There are no ${rowsCounted(0, "").trim()} like this.`;
  const all = (number) => (summary ? groupsCounted(number) : rowsCounted(number));
  if (!more) return capitalised(all(rows.length));
  return total === null
    ? `Showing the first ${all(rows.length)}`
    : `Showing ${rows.length.toLocaleString("en")} of ${all(total)}`;
}

function drawn(section, data, actions, before) {
  const { form, answer } = data;
  const focused = document.activeElement?.closest("#answer th")?.dataset.column;
  const table = answer.rows.length ? new Table(data, actions) : null;
  const more = rest(answer, actions);
  const after = el("div", { class: "after" });
  const head = header(data, actions);
  // The page does not jump while what follows is drawn.
  if (before) after.style.minHeight = `${before.after.offsetHeight}px`;
  const notes = (answer.notes ?? []).filter((text) => !KNOWN_FROM_COUNT.test(text));
  const scrolled = before?.form.tokens === form.tokens ? before.table?.element.scrollLeft : 0;
  replace(
    section,
    head,
    ...[...notes, ...byDefault(answer)].map((text) => el("p", { class: "note", text })),
    answer.diagnosis?.length ? nothing(answer.diagnosis, actions) : null,
    table?.element ?? null,
    more,
    after,
  );
  if (scrolled) table.element.scrollLeft = scrolled;
  if (focused) table?.focus(focused);
  return { form, answer, table, rest: more, after, header: head };
}

/** Buttons that add rows to those that are shown. */
function rest({ rows, total, more }, { more: add }) {
  const step = rows.length <= STEPS[0] ? STEPS[0] : STEPS[1];
  const left = total === null ? Infinity : total - rows.length;
  const button = (text, count) =>
    el("button", { type: "button", class: "more", text, on: { click: () => add(count) } });
  return el(
    "div",
    { class: "rest", hidden: !more },
    more && left > step ? button(`Show ${step} more`, step) : null,
    more && left <= MOST_AT_ONCE ? button(`Show all ${total.toLocaleString("en")}`, left) : null,
  );
}

function header(data, actions) {
  const { form, answer, sort, query } = data;
  const save = (format) => (event) =>
    saveAs(event.currentTarget, { tokens: form.tokens, sort, format, name: query }, actions.complain);
  const file = (text, format) =>
    el("button", {
      type: "button",
      "aria-label": `Download all rows as ${text}`,
      title: `Download all rows as ${text}`,
      text,
      on: { click: save(format) },
    });
  const source = async (event) => {
    const button = event.currentTarget;
    (await import("./source.js")).showSource(button, data);
  };
  return el(
    "header",
    {},
    el("p", { class: "count", text: counted(answer) }),
    answer.synthetic
      ? el("span", {
          class: "tag",
          title: "They were generated, and are not real.",
          text: generated(answer.columns),
        })
      : null,
    sort
      ? el("button", {
          type: "button",
          text: "Original order",
          on: { click: () => actions.sort(null, null) },
        })
      : null,
    el(
      "span",
      { class: "files", role: "group", "aria-label": "Downloads" },
      ...(answer.rows.length ? [file("CSV", "csv"), file("Parquet", "parquet")] : []),
      el("button", {
        type: "button",
        "aria-haspopup": "dialog",
        text: "Query",
        on: { click: source },
      }),
    ),
  );
}

/** Which columns nobody has asked for. */
function byDefault({ columns, rows }) {
  const labels = rows.length ? columns.filter((each) => each.default).map((each) => each.label) : [];
  return labels.length ? [`Shown by default: ${labels.join(", ")}.`] : [];
}

/** Draw what follows the table, once the table is on the screen. */
async function follow(element, data, actions, signal) {
  const { answer } = data;
  try {
    await afterPaint(signal);
    const wait = () => pause(BEFORE_REQUESTS, signal);
    if (answer.rows.length === 1 && !answer.more && (answer.key ?? null) !== null) {
      const { details } = await import("./row.js");
      await wait();
      const found = await details(String(answer.rows[0][answer.key]), actions, signal);
      if (!signal.aborted) replace(element, ...found);
    } else {
      const { chart } = await import("./chart.js");
      if (signal.aborted) return;
      const figure = await chart(data, { signal, wait });
      if (!signal.aborted) replace(element, figure);
    }
  } catch (error) {
    if (!isAbort(error)) replace(element); // the table is there without it
  } finally {
    if (!signal.aborted) element.style.minHeight = "";
  }
}

function afterPaint(signal) {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
    requestAnimationFrame(() => setTimeout(resolve));
  });
}

const capitalised = (text) => text.charAt(0).toUpperCase() + text.slice(1);
