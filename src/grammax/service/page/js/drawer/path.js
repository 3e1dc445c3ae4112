// The automaton's path through a logical form: one state per step, indented by the nesting depth of
// brackets; a dashed line leads back to a state that occurred before. A full dot is a choice, whose
// size is the logarithm of the number of permitted tokens; a ring is a step that the grammar
// forced.

import { svg } from "../dom.js";

export const STEP = 40; // pixels from one state to the next; the rows beside are as high
const INDENT = 14;
const LEFT = 14;
const LARGEST = 8;
const RING = 3;

/** A drawing as high as its steps. */
export function path(steps) {
  const depths = nesting(steps.map(({ token }) => token));
  const places = depths.map((depth, row) => [LEFT + depth * INDENT, row * STEP + STEP / 2]);
  const width = LEFT * 2 + Math.max(0, ...depths) * INDENT;
  const height = steps.length * STEP;
  const chosen = steps.filter(({ forced }) => !forced).length;
  return svg(
    "svg",
    {
      class: "path",
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": `The automaton’s path: ${chosen} of ${steps.length} steps were chosen`,
    },
    ...places.slice(1).map((to, row) => svg("path", { class: "edge", d: curve(places[row], to) })),
    ...returns(steps.map(({ state }) => state)).map(([from, to]) =>
      svg("path", { class: "return", d: bow(places[from], places[to]) }),
    ),
    ...steps.map((step, row) => state(step, places[row])),
  );
}

function state(step, [cx, cy]) {
  const title = svg("title", { text: `state ${step.state}` });
  if (step.forced) return svg("circle", { class: "forced", cx, cy, r: RING }, title);
  const share = Math.log(1 + step.permitted) / Math.log(1 + step.of);
  return svg("circle", { class: "chosen", cx, cy, r: Math.max(RING, share * LARGEST) }, title);
}

/** Pairs of rows in the same state, each with the previous one. */
function returns(states) {
  const last = new Map();
  return states.flatMap((state, row) => {
    const before = last.get(state);
    last.set(state, row);
    return before === undefined ? [] : [[before, row]];
  });
}

function bow([x1, y1], [x2, y2]) {
  const out = Math.max(0, Math.min(x1, x2) - LEFT);
  return `M${x1} ${y1}C${out} ${y1 + STEP} ${out} ${y2 - STEP} ${x2} ${y2}`;
}

function curve([x1, y1], [x2, y2]) {
  const middle = (y1 + y2) / 2;
  return `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`;
}

function nesting(tokens) {
  let depth = 0;
  return tokens.map((token) => {
    if (token === ")") depth--;
    return token === "(" ? depth++ : depth;
  });
}
