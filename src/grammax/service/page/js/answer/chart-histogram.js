// How many rows have a number of which size: one upright bar per part of the range.

import { svg } from "../dom.js";
import { short, widthOf } from "./scales.js";

const HEIGHT = 220;
const MARGIN = { top: 20, right: 8, bottom: 30, left: 8 };
const FAR = 64; // pixels between two limits that are written

/** `{height, marks}` of parts `[{low, high, count}]` in a width. */
export function histogram(parts, [axis], width) {
  const most = Math.max(1, ...parts.map(({ count }) => count));
  const wide = (width - MARGIN.left - MARGIN.right) / parts.length;
  const bottom = HEIGHT - MARGIN.bottom;
  const { low: from, high: to } = parts.at(-1);
  const last = short(to ?? from ?? 0, axis);
  const right = width - MARGIN.right - (to === null ? wide : 0);
  const end = Math.min(right, width - widthOf(last) / 2 - 1); // where the last limit is written
  const every = Math.max(1, Math.ceil(FAR / wide));
  const marks = parts.flatMap(({ low, high, count }, at) => {
    const x = MARGIN.left + at * wide;
    const height = (count / most) * (bottom - MARGIN.top);
    return [
      svg(
        "rect",
        {
          class: "bar",
          x: x + 0.5,
          y: bottom - height,
          width: Math.max(1, wide - 1),
          height,
        },
        svg("title", { text: `${range(low, high, axis)}: ${count.toLocaleString("en")}` }),
      ),
      count && wide > 26
        ? svg("text", {
            class: "tick",
            x: x + wide / 2,
            y: bottom - height - 8,
            "text-anchor": "middle",
            text: count.toLocaleString("en"),
          })
        : null,
      at % every === 0 && low !== null && x < end - FAR
        ? svg("text", {
            class: "tick",
            x,
            y: bottom + 14,
            "text-anchor": at ? "middle" : "start",
            text: short(low, axis),
          })
        : null,
    ];
  });
  if (to !== null || from !== null)
    marks.push(
      svg("text", { class: "tick", x: end, y: bottom + 14, "text-anchor": "middle", text: last }),
    );
  marks.push(svg("line", { class: "axis", x1: 0, x2: width, y1: bottom, y2: bottom }));
  return { height: HEIGHT, marks: marks.filter((mark) => mark !== null) };
}

/** "10 to 20", "below 10", "20 or more". */
export function range(low, high, axis) {
  if (low === null) return high === null ? "all" : `below ${short(high, axis)}`;
  if (high === null) return `${short(low, axis)} or more`;
  return `${short(low, axis)} to ${short(high, axis)}`;
}
