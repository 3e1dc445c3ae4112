// Scales of charts, from values to pixels.

import { svg } from "../dom.js";
import { shown } from "./numbers.js";

const WIDE = 20; // times as large as the least: then the scale is logarithmic

/** A scale from values to pixels, with round ticks: "linear", that of a "count" from 0 with whole
 * ticks, or else logarithmic where values differ widely. */
export function scale(values, start, end, wanted, kind = null) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (kind === null && least > 0 && most / least > WIDE) {
    const [low, high] = [Math.log10(least) - 0.1, Math.log10(most) + 0.1];
    const ticks = Array.from(
      { length: Math.floor(high) - Math.ceil(low) + 1 },
      (_, n) => 10 ** (Math.ceil(low) + n),
    );
    return {
      place: (value) => start + ((Math.log10(value) - low) / (high - low)) * (end - start),
      ticks,
    };
  }
  const margin = (most - least || Math.abs(most) || 1) * 0.06;
  const low = kind === "count" ? 0 : least - margin;
  const high = most + margin;
  const rounded = round((high - low) / Math.max(2, wanted));
  const step = kind === "count" ? Math.max(1, rounded) : rounded;
  const first = Math.ceil(low / step);
  const ticks = Array.from(
    { length: Math.floor(high / step) - first + 1 },
    (_, n) => (first + n) * step,
  );
  return { place: (value) => start + ((value - low) / (high - low)) * (end - start), ticks };
}

/** The lines and labels of a scale upwards, from the left to the right of a drawing. */
export function heights(scale, column, left, right) {
  return scale.ticks.flatMap((value) => {
    const y = scale.place(value);
    return [
      svg("line", { class: "grid", x1: left, x2: right, y1: y, y2: y }),
      svg("text", { class: "tick", x: left - 8, y, "text-anchor": "end", text: short(value, column) }),
    ];
  });
}

/** The next of 1, 2, 5, 10 times a power of ten. */
function round(step) {
  const power = 10 ** Math.floor(Math.log10(step));
  return power * [1, 2, 5, 10].find((times) => times * power >= step * 0.999);
}

let measure = null;

/** The width of a text of a chart, in pixels. */
export function widthOf(text) {
  if (measure === null) {
    measure = document.createElement("canvas").getContext("2d");
    measure.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  }
  return measure.measureText(text).width;
}

/** The text of a tick without trailing zeros: 10, not 10.00. */
export function short(value, { type }) {
  return shown(Number(value.toPrecision(12)), type)
    .replace(/\.0+(?=\D|$)/, "")
    .replace(/(\.\d*[1-9])0+(?=\D|$)/, "$1");
}
