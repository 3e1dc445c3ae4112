// One point per row: one number across and one up, logarithmic where they differ widely.

import { svg } from "../dom.js";
import { shown } from "./numbers.js";
import { heights, scale, short } from "./scales.js";

const HEIGHT = 300;
const MARGIN = { top: 28, right: 16, bottom: 44, left: 56 };
const RADIUS = 5;
const LETTER = 6.2;

/** `{height, marks}` of `data` `[{name, values: [across, up]}]` in a width. */
export function points(data, [across, up], width) {
  const x = scale(
    data.map(({ values }) => values[0]),
    MARGIN.left,
    width - MARGIN.right,
    width / 110,
  );
  const y = scale(
    data.map(({ values }) => values[1]),
    HEIGHT - MARGIN.bottom,
    MARGIN.top,
    5,
  );
  const placed = data.map(({ name, values }) => ({
    name,
    values,
    at: [x.place(values[0]), y.place(values[1])],
  }));
  return {
    height: HEIGHT,
    marks: [
      ...grid(x, y, across, up, width),
      ...placed.map(({ name, values, at: [cx, cy] }) =>
        svg(
          "circle",
          { class: "point", cx, cy, r: RADIUS },
          svg("title", {
            text: `${name}: ${shown(values[0], across.type)}, ${shown(values[1], up.type)}`,
          }),
        ),
      ),
      ...names(placed, width),
    ],
  };
}

function grid(x, y, across, up, width) {
  const bottom = HEIGHT - MARGIN.bottom;
  return [
    ...x.ticks.flatMap((value) => [
      svg("line", {
        class: "grid",
        x1: x.place(value),
        x2: x.place(value),
        y1: MARGIN.top,
        y2: bottom,
      }),
      svg("text", {
        class: "tick",
        x: x.place(value),
        y: bottom + 14,
        "text-anchor": "middle",
        text: short(value, across),
      }),
    ]),
    ...heights(y, up, MARGIN.left, width - MARGIN.right),
    svg("text", {
      class: "name",
      x: width - MARGIN.right,
      y: HEIGHT - 8,
      "text-anchor": "end",
      text: `${across.title} →`,
    }),
    svg("text", { class: "name", x: 0, y: 8, text: `↑ ${up.title}` }),
  ];
}

/** Names beside their points, as many as fit. */
function names(placed, width) {
  const taken = placed.map(({ at: [x, y] }) => box(x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS));
  return placed.flatMap(({ name, at: [x, y] }) => {
    const wide = name.length * LETTER;
    const sides = [
      ["start", x + 9],
      ["end", x - 9],
    ];
    for (const [anchor, from] of sides) {
      const room = box(anchor === "start" ? from : from - wide, y - 8, wide, 16);
      if (
        room.left < MARGIN.left ||
        room.right > width ||
        taken.some((other) => overlap(room, other))
      )
        continue;
      taken.push(room);
      return [svg("text", { class: "label", x: from, y, "text-anchor": anchor, text: name })];
    }
    return [];
  });
}

const box = (left, top, width, height) => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});

function overlap(one, other) {
  return (
    one.left < other.right &&
    other.left < one.right &&
    one.top < other.bottom &&
    other.top < one.bottom
  );
}
