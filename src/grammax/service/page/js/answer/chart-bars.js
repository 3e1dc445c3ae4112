// One horizontal bar per row, with its number.

import { svg } from "../dom.js";
import { digitsOf, shown } from "./numbers.js";
import { widthOf } from "./scales.js";

const STEP = 24;
const THICK = 12;
const NUMBER = 70;

/** `{height, marks}` of `data` `[{name, values: [number]}]` in a width. */
export function bars(data, [axis], width) {
  const room = Math.min(220, Math.floor(width * 0.36));
  const values = data.map(({ values }) => values[0]);
  const digits = digitsOf(values);
  const least = Math.min(0, ...values);
  const most = Math.max(0, ...values);
  const left = room + 8 + (least < 0 ? NUMBER : 0);
  const scale = (width - left - NUMBER) / (most - least || 1);
  const x = (value) => left + (value - least) * scale;
  const marks = data.flatMap(({ name, values: [value] }, row) => {
    const middle = row * STEP + STEP / 2;
    const [from, to] = [x(Math.min(0, value)), x(Math.max(0, value))];
    const negative = value < 0;
    return [
      svg(
        "text",
        { class: "name", x: room, y: middle, "text-anchor": "end", text: cut(name, room) },
        svg("title", { text: name }),
      ),
      svg("rect", {
        class: "bar",
        x: from,
        y: middle - THICK / 2,
        width: Math.max(1, to - from),
        height: THICK,
        rx: 2,
      }),
      svg("text", {
        class: "tick",
        x: negative ? from - 6 : to + 6,
        y: middle,
        "text-anchor": negative ? "end" : "start",
        text: shown(value, axis.type, null, digits),
      }),
    ];
  });
  const height = data.length * STEP;
  marks.push(svg("line", { class: "axis", x1: x(0), x2: x(0), y1: 0, y2: height }));
  return { height, marks };
}

function cut(name, room) {
  if (widthOf(name) <= room) return name;
  let letters = name.length - 1;
  while (letters > 1 && widthOf(`${name.slice(0, letters)}…`) > room) letters--;
  return `${name.slice(0, letters).trimEnd()}…`;
}
