// The chart of an answer: bars for a few rows or groups, a histogram of all rows where there are
// more, a line over time, points for two numbers.

import { isAbort, post } from "../api.js";
import { el, svg } from "../dom.js";
import { counted } from "../query/domain.js";
import { bars } from "./chart-bars.js";
import { histogram, range } from "./chart-histogram.js";
import { line, runs, timeOf } from "./chart-line.js";
import { points } from "./chart-points.js";
import { groupsCounted, isNumeric, shown, sign } from "./numbers.js";
import { nameColumn } from "./table.js";

const FEWEST = 2; // rows that are worth a chart
const TIMES = 3; // and times that are worth a line
const BARS = 30;
const SOME_GROUPS = /\(\(|\((?:top|bottom)\b[^()]*\(/; // a form that compares or ranks an aggregate
const NO_MEASURES = new Set(["year", "code", "coordinate"]);
let charts = 0;

/** A figure, redrawn when its width changes; null if the answer does not suit a chart. `wait()`
 * resolves when a request may be sent. */
export async function chart({ form, answer, sort }, { signal, wait }) {
  const { columns, rows, summary } = answer;
  if (rows.length < FEWEST) return null;
  const places = columns.map((_, place) => place);
  const measures = places.filter(
    (place) => isNumeric(columns[place], rows, place) && !NO_MEASURES.has(columns[place].type),
  );
  if (!measures.length) return null;
  const asked = measures.filter((place) => !columns[place].default);
  const sorted = measures.find(
    (place) => sort && (sort.column === place || sort.column === columns[place].field),
  );
  const main = sorted ?? asked[0] ?? measures[0];
  const time = places.find((place) => isTime(columns[place], rows, place));
  if (time !== undefined) return overTime({ form, answer, sort }, time, main);
  if (asked.length === 2 && !summary) return scattered(answer, asked);
  const total = answer.total ?? (answer.more ? Infinity : rows.length);
  if (!summary && total > BARS && (answer.key ?? null) !== null) {
    await wait();
    const found = await distribution({ tokens: form.tokens, column: main }, signal);
    if (found !== null) return found.parts.length > 1 ? distributed(found) : null;
  }
  return barred(answer, main, sort !== null);
}

/** The distribution of a column; null if the service has none, as of too many rows. */
async function distribution(asked, signal) {
  try {
    return await post("distribution", asked, { signal });
  } catch (error) {
    if (isAbort(error)) throw error;
    return null;
  }
}

/** Whether each row has its own time in a column. */
function isTime({ type, field }, rows, place) {
  const isNamed = type === "date" || type === "year" || (type === "text" && field === null);
  if (!isNamed || rows.length < TIMES) return false;
  const times = rows.map((row) => row[place]);
  return times.every((cell) => timeOf(cell) !== null) && new Set(times).size === times.length;
}

function overTime({ form, answer, sort }, time, place) {
  const { columns, rows, summary, more } = answer;
  const data = rows
    .filter((row) => typeof row[place] === "number")
    .map((row) => ({ name: String(row[time]), at: timeOf(row[time]), values: [row[place]] }))
    .sort((one, other) => one.at - other.at);
  if (data.length < TIMES) return null;
  const isCount = summary && columns[place].type === "number";
  // A period that is missing has no rows, unless only some groups were asked for or are shown.
  const areAll = !SOME_GROUPS.test(form.lf) && (!more || sort === null);
  const axes = axesOf(columns, [place]).map((axis) => ({ ...axis, isCount }));
  const span = `${data[0].name} to ${data.at(-1).name}`;
  return figure(`${axes[0].title}, ${span}`, told(data, axes), (width) =>
    line(summary ? runs(data, isCount && areAll) : [data], axes, width),
  );
}

function scattered({ columns, rows, total, more }, places) {
  const data = dataOf(columns, rows, places);
  if (data.length < FEWEST) return null;
  const axes = axesOf(columns, places);
  const some = more && total !== null ? `, ${rows.length} of ${counted(total)}` : "";
  const caption = `${axes[1].label} against ${axes[0].label}${some}`;
  return figure(caption, told(data, axes), (width) => points(data, axes, width));
}

function barred({ columns, rows, total, more, summary }, place, isSorted) {
  const all = dataOf(columns, rows, [place]);
  if (all.length < FEWEST) return null;
  if (!isSorted) order(all);
  const data = all.slice(0, BARS);
  const axes = axesOf(columns, [place]);
  const whole = total ?? rows.length;
  const isPart = more || data.length < all.length;
  const ofAll = summary ? groupsCounted(whole) : counted(whole);
  const some = isPart ? `, ${data.length} of ${ofAll}` : "";
  const caption = `${axes[0].title}${some}`;
  return figure(caption, told(data, axes), (width) => bars(data, axes, width));
}

/** The largest first, unless rows are in the order of these numbers already. */
function order(data) {
  const values = data.map(({ values: [value] }) => value);
  const isRising = values.every((value, at) => at === 0 || values[at - 1] <= value);
  if (!isRising) data.sort((one, other) => other.values[0] - one.values[0]);
}

function distributed({ column, parts, median, known, missing }) {
  const axes = [{ ...column, title: titled(column) }];
  const unknown = missing ? `; ${missing.toLocaleString("en")} without a value` : "";
  const middle = shown(median, column.type, column.unit);
  const caption = `${axes[0].title}: how ${counted(known)} are distributed, half of them below ${middle}${unknown}`;
  const text = parts
    .filter(({ count }) => count)
    .map(({ low, high, count }) => `${range(low, high, column)}: ${count}`)
    .join("; ");
  return figure(caption, text, (width) => histogram(parts, axes, width));
}

function dataOf(columns, rows, places) {
  const numeric = rows.filter((row) => places.every((place) => typeof row[place] === "number"));
  const name = nameColumn(columns);
  return numeric.map((row) => ({
    name: named(row, columns, name, places),
    values: places.map((place) => row[place]),
  }));
}

/** The name of a row; that of a group is all that is not a measure. */
function named(row, columns, name, places) {
  if (columns[name].field === null && !places.includes(name)) return String(row[name]);
  const groups = columns.flatMap(({ type }, place) =>
    !places.includes(place) && typeof row[place] !== "number" && type !== "number"
      ? [shown(row[place], type)]
      : [],
  );
  return groups.length ? groups.join(", ") : String(row[0]);
}

const axesOf = (columns, places) =>
  places.map((place) => ({ ...columns[place], title: titled(columns[place]) }));

const titled = (column) => (sign(column) ? `${column.label}, ${sign(column)}` : column.label);

function told(data, axes) {
  const each = ({ name, values }) =>
    `${name}: ${values.map((value, at) => shown(value, axes[at].type)).join(", ")}`;
  return `${data.map(each).join("; ")}.`;
}

/** A figure with a caption, a description for screen readers, and `draw(width)`. */
function figure(caption, description, draw) {
  const id = `chart-${++charts}`;
  const found = el(
    "figure",
    { class: "chart", "aria-labelledby": `${id}-title` },
    el("figcaption", { id: `${id}-title`, text: caption }),
  );
  watchWidth(found, (width) => {
    const { height, marks } = draw(width);
    const drawing = svg("svg", {
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-labelledby": `${id}-title ${id}-desc`,
    });
    drawing.append(svg("desc", { id: `${id}-desc`, text: description }), ...marks);
    found.querySelector("svg")?.remove();
    found.append(drawing);
  });
  return found;
}

function watchWidth(element, draw) {
  let before = 0;
  new ResizeObserver(([entry]) => {
    const width = Math.floor(entry.contentRect.width);
    if (width && width !== before) draw((before = width));
  }).observe(element);
}
