// Each step of the parser: the token, the words it came from, the number of permitted tokens, and
// its time.

import { el } from "../dom.js";
import { lightWords } from "../query/echo.js";
import { STEP, path } from "./path.js";

/** The elements that show a response of `/explain`; `latency` is an element that others update. */
export function told({ parse, steps }, latency) {
  return [
    el("p", { class: "story", text: story(steps) }),
    times(parse.seconds, latency),
    el(
      "p",
      { class: "columns", "aria-hidden": "true" },
      el("span", { text: "step, and the words it came from" }),
      el("span", { text: "choices, time" }),
    ),
    el(
      "div",
      { class: "steps" },
      path(steps),
      el("ol", {}, ...steps.map((step) => row(step, parse.words))),
    ),
  ];
}

function story(steps) {
  const of = steps[0]?.of ?? 0;
  const scored = steps.reduce((sum, step) => sum + step.scored, 0);
  const all = of * steps.length;
  const share = all ? (100 * scored) / all : 0;
  return (
    "The network writes the logical form token by token. At each step the grammar says which of " +
    `${count(of)} tokens may follow, and only these are scored: ${count(scored)} rows in ` +
    `${steps.length} steps instead of ${count(all)}, or ${share.toFixed(share < 1 ? 2 : 1)} %. ` +
    `${steps.filter(({ forced }) => forced).length} steps were forced and cost nothing.`
  );
}

function times(seconds, latency) {
  const total = Object.values(seconds).reduce((sum, part) => sum + part, 0);
  return el(
    "dl",
    { class: "times" },
    ...["read", "encode", "decode"].flatMap((stage) => [
      el("dt", { text: stage }),
      el("dd", { text: milliseconds(seconds[stage]) }),
    ]),
    el("dt", { text: "parsed in" }),
    el("dd", { text: milliseconds(total) }),
    el("dt", { text: "key press to answer" }),
    latency,
  );
}

function row(step, words) {
  const light = () => lightWords(step.words);
  const dark = () => lightWords([]);
  const item = el(
    "li",
    {
      tabindex: "0",
      class: step.forced ? "forced" : "chosen",
      on: { mouseenter: light, focus: light, mouseleave: dark, blur: dark },
    },
    el("code", { text: step.token }),
    el(
      "span",
      {
        class: "permitted",
        title: `${count(step.permitted)} of ${count(step.of)} permitted: ${step.kinds.join(", ")}`,
      },
      ...measure(step),
    ),
    el("span", {
      class: "from",
      text: step.forced
        ? "forced"
        : step.words.map((place) => words[place].replace(/^#(?=.)/, "")).join(" "),
    }),
    el("span", { class: "time", text: step.seconds ? milliseconds(step.seconds) : "" }),
  );
  item.style.height = `${STEP}px`;
  return item;
}

/** The number of permitted tokens, as a bar on a logarithmic scale up to all tokens. */
function measure({ permitted, of }) {
  const bar = el("span", { class: "bar" }, el("span"));
  const share = Math.log(Math.max(1, permitted)) / Math.log(Math.max(2, of));
  bar.firstChild.style.width = `${100 * share}%`;
  return [bar, el("span", { text: count(permitted) })];
}

const count = (number) => number.toLocaleString("en");

function milliseconds(seconds) {
  const time = 1000 * seconds;
  return time < 0.1 ? `${Math.round(1000 * time)} µs` : `${time.toFixed(2)} ms`;
}
