// A chart of an answer with one or two columns of numbers: one bar or one point per row.

import { bars } from "./chart-bars.js";
import { points } from "./chart-points.js";
import { el, svg } from "../dom.js";
import { counted } from "../query/domain.js";
import { isNumeric, sign } from "./numbers.js";

const FEWEST = 2; // rows that are worth a chart
let charts = 0;

/** A figure, redrawn when its width changes; null if the answer does not suit a chart. */
export function chart({ columns, rows }) {
  const numeric = columns
    .map((_, place) => place)
    .filter((place) => isNumeric(columns[place], rows, place));
  if (numeric.length < 1 || numeric.length > 2) return null;
  const name = nameColumn(columns);
  const full = rows.filter((row) => numeric.every((place) => typeof row[place] === "number"));
  if (full.length < FEWEST) return null;
  const data = full.map((row) => ({
    name: String(row[name]),
    values: numeric.map((place) => row[place]),
  }));
  const axes = numeric.map((place) => ({ ...columns[place], title: titled(columns[place]) }));
  const draw = numeric.length === 1 ? bars : points;
  const figure = el("figure", { class: "chart" }, el("figcaption", { text: caption(axes) }));
  watchWidth(figure, (width) => {
    figure.querySelector("svg")?.remove();
    figure.append(framed(draw(data, axes, width), width, axes, data));
  });
  return figure;
}

/** The column that names a row. Of the leading columns that show no field, the first is the key and
 * the second, if any, the name. */
function nameColumn(columns) {
  const fields = columns.findIndex(({ field }) => field !== null);
  return Math.max(0, Math.min(2, fields < 0 ? columns.length : fields) - 1);
}

function framed({ height, marks }, width, axes, data) {
  const names = data.map(({ name }) => name).join(", ");
  const id = `chart-${++charts}`;
  const drawing = svg("svg", {
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "aria-labelledby": `${id}-title ${id}-desc`,
  });
  drawing.append(
    svg("title", { id: `${id}-title`, text: caption(axes) }),
    svg("desc", {
      id: `${id}-desc`,
      text: `${counted(data.length)}: ${names}. The table has the numbers.`,
    }),
    ...marks,
  );
  return drawing;
}

function watchWidth(element, draw) {
  let before = 0;
  new ResizeObserver(([entry]) => {
    const width = Math.floor(entry.contentRect.width);
    if (width && width !== before) draw((before = width));
  }).observe(element);
}

const titled = ({ label, unit }) => (sign(unit) ? `${label}, ${sign(unit)}` : label);

function caption(axes) {
  return axes.length === 1 ? axes[0].title : `${axes[1].label} against ${axes[0].label}`;
}
