// A line over time, one point per row.

import { svg } from "../dom.js";
import { shown } from "./numbers.js";
import { heights, scale, widthOf } from "./scales.js";

const HEIGHT = 240;
const MARGIN = { top: 16, right: 24, bottom: 30, left: 56 };
const MOST = 400; // times that are looked for
const FAR = 76; // pixels between two times that are written
const TIME = /^(?:Q([1-4]) )?(\d{4})(?:-(\d\d))?(?:-(\d\d))?$/; // 2018, Q2 2018, 2018-06, 2018-06-23

/** A time as a number of years; null if it is none. */
export function timeOf(cell) {
  const [, quarter, year, month, day] = TIME.exec(String(cell)) ?? [];
  if (year === undefined) return null;
  const months = quarter ? (quarter - 1) * 3 : (month ?? 1) - 1;
  return Number(year) + (months + ((day ?? 1) - 1) / 31) / 12;
}

/** Times without a time missing between them: where one is, it has the value 0, or the line ends. */
export function runs(data, isZero) {
  const [, quarter, , month, day] = TIME.exec(data[0].name);
  const parts = quarter ? 4 : month ? 12 : 1; // of a year
  const number = ({ at }) => Math.round(at * parts);
  if (day || number(data.at(-1)) - number(data[0]) > MOST) return [data];
  const found = [[]];
  let next = number(data[0]);
  for (const each of data) {
    if (number(each) > next && !isZero) found.push([]);
    for (; isZero && next < number(each); next++) {
      found.at(-1).push({ name: named(next, parts), at: next / parts, values: [0] });
    }
    found.at(-1).push(each);
    next = number(each) + 1;
  }
  return found;
}

function named(number, parts) {
  const [year, part] = [Math.floor(number / parts), (number % parts) + 1];
  return parts === 4 ? `Q${part} ${year}` : parts === 1 ? `${year}` : `${year}-${`${part}`.padStart(2, "0")}`;
}

/** `{height, marks}` of runs of `[{name, at, values: [number]}]`, in the order of time. */
export function line(runs, [axis], width) {
  const data = runs.flat();
  const times = data.map(({ at }) => at);
  const [first, last] = [times[0], times.at(-1)];
  const across = width - MARGIN.left - MARGIN.right;
  const x = (time) => MARGIN.left + ((time - first) / (last - first || 1)) * across;
  const radius = Math.max(1.5, Math.min(4, across / data.length / 2.5));
  const bottom = HEIGHT - MARGIN.bottom;
  const y = scale(
    data.map(({ values: [value] }) => value),
    bottom,
    MARGIN.top,
    4,
    axis.isCount ? "count" : "linear",
  );
  const path = (run) => run.map(({ at, values: [value] }) => `${x(at)},${y.place(value)}`).join(" ");
  let free = -Infinity;
  const marks = [
    ...heights(y, axis, MARGIN.left, width - MARGIN.right),
    ...runs.map((run) => svg("polyline", { class: "line", points: path(run) })),
    ...data.flatMap(({ name, at, values: [value] }) => {
      const circle = svg(
        "circle",
        { class: "point", cx: x(at), cy: y.place(value), r: radius },
        svg("title", { text: `${name}: ${shown(value, axis.type)}` }),
      );
      if (x(at) - free < FAR) return [circle];
      free = x(at);
      const text = svg("text", {
        class: "tick",
        x: Math.min(x(at), width - widthOf(name) / 2 - 1),
        y: bottom + 16,
        "text-anchor": "middle",
        text: name,
      });
      return [circle, text];
    }),
  ];
  return { height: HEIGHT, marks };
}
