// A logical form as chips: each bracket is a group, each token a chip; editable chips are buttons,
// and the digits of a number are one chip.

import { el, replace } from "../dom.js";

const NUMERAL = /^[\d.-]$/;
const LONG = /^-?\d{5,15}$/;
const SIZES = [
  [1e12, "trillion"],
  [1e9, "billion"],
  [1e6, "million"],
];
const MONTH = /^[\d ]+ [A-Z]{3}\b/; // after a year
const CONNECTIVES = new Set(["AND", "OR", "NOT"]);
const SCALES = new Set(["THOUSAND", "MILLION", "BILLION", "TRILLION", "PCT", "BPS"]);

/** Draw `{tokens, chips}`. `edit(span, button)` opens a chip, `drop(span)` removes a group,
 * `point(place)` says which token the pointer or focus is on, or -1. */
export function showForm(place, form, { edit, drop, point }) {
  const chips = new Map(form.chips.map((chip) => [chip.place, chip]));
  const root = { element: el("div", { class: "groups" }), joined: false };
  const open = [root];
  let field = null; // the last one, with which a number is compared
  for (let at = 0; at < form.tokens.length; at++) {
    const token = form.tokens[at];
    const parent = open.at(-1);
    const chip = chips.get(at);
    if (token === "(") {
      if (chips.get(at - 1)?.role !== "field") field = null;
      const group = opened(form.tokens, at);
      parent.element.append(group.element);
      open.push(group);
    } else if (token === ")") {
      const group = open.pop();
      const outer = open.at(-1);
      if (outer.joined)
        group.element.append(dropper(group, { from: group.from, to: at + 1 }, drop));
    } else {
      const to = numberEnd(form.tokens, chips, at) || at + 1;
      if (chip?.role === "field") field = token;
      const span = { from: at, to, field };
      if (chip) parent.element.append(drawn(chip, form.tokens, chips, span, edit, point));
      at = to - 1;
    }
  }
  replace(place, root.element);
}

/** The chip of a token; that of a number stands for all its tokens. */
export function chipAt(place) {
  return [...document.querySelectorAll("#form .chip")].find(
    ({ dataset }) => Number(dataset.place) <= place && place < Number(dataset.to),
  );
}

/** The tokens without a group; an AND or OR that is left with one part is removed, too. */
export function without(tokens, { from, to }) {
  const kept = [...tokens.slice(0, from), ...tokens.slice(to)];
  const start = enclosing(kept, from);
  const end = closing(kept, start);
  const members = groupsIn(kept, start + 1, end);
  return members === 1
    ? [...kept.slice(0, start), ...kept.slice(start + 2, end), ...kept.slice(end + 1)]
    : kept;
}

function opened(tokens, at) {
  const first = tokens[at + 1];
  const joined = first === "AND" || first === "OR";
  const kind = joined ? "joined" : CONNECTIVES.has(first) ? "negated" : "clause";
  return { element: el("span", { class: `group ${kind}` }), joined, from: at };
}

function dropper(group, span, drop) {
  const what = [...group.element.querySelectorAll(".chip")]
    .map((chip) => chip.textContent)
    .join(" ");
  return el("button", {
    type: "button",
    class: "drop",
    "aria-label": `Remove ${what}`,
    title: "Remove",
    text: "×",
    on: { click: () => drop(span) },
  });
}

function drawn(chip, tokens, chips, { from, to, field }, edit, point) {
  const isNumber = NUMERAL.test(tokens.slice(from, to).find((token) => NUMERAL.test(token)) ?? "");
  const text = isNumber ? numberText(tokens, chips, from, to) : chip.label;
  const role = isNumber && chip.role !== "time" ? "number" : chip.role;
  const given = {
    class: `chip ${role}`,
    text,
    "data-place": from,
    "data-to": to,
    title: isNumber ? null : chip.token,
  };
  const pointing = {
    mouseenter: () => point(from),
    mouseleave: () => point(-1),
    focus: () => point(from),
    blur: () => point(-1),
  };
  if (!chip.editable) return el("span", { ...given, on: pointing });
  const isPlain = tokens.slice(from, to).every((token) => NUMERAL.test(token));
  const span = { from, to, role, text, label: chip.label, field, isNumber, isPlain };
  const button = el("button", {
    ...given,
    type: "button",
    "aria-haspopup": "dialog",
    "aria-label": `${role}: ${text}. Change`,
    on: { ...pointing, click: () => edit(span, button) },
  });
  return button;
}

/** Where the number or time ends that begins at a position: its digits, scale and months are one
 * chip. 0 if none begins there. */
function numberEnd(tokens, chips, from) {
  const belongs = (at) =>
    NUMERAL.test(tokens[at]) || SCALES.has(tokens[at]) || chips.get(at)?.role === "time";
  let to = from;
  while (to < tokens.length && belongs(to)) to++;
  return tokens.slice(from, to).some((token) => NUMERAL.test(token)) ? to : 0;
}

/** "2 billion", "5%", "3 June 1960". */
function numberText(tokens, chips, from, to) {
  const pieces = [];
  for (let at = from; at < to; at++) {
    const label = chips.get(at)?.label ?? tokens[at];
    const goesOn = label === "%" || (NUMERAL.test(tokens[at]) && NUMERAL.test(tokens[at - 1]));
    if (goesOn && at > from) pieces.push(pieces.pop() + label);
    else pieces.push(label);
  }
  if (MONTH.test(tokens.slice(from, to).join(" "))) pieces.reverse();
  return pieces.map(asWritten).join(" ");
}

/** Digits as people write them: "50,000", "1 billion"; years as they are. */
function asWritten(piece) {
  if (!LONG.test(piece)) return piece;
  const value = Number(piece);
  const [size, word] = SIZES.find(([least]) => Math.abs(value) >= least) ?? [];
  if (size && Number.isInteger((value * 1000) / size)) return `${value / size} ${word}`;
  return piece.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** The position of the opening bracket around a position. */
function enclosing(tokens, place) {
  let depth = 0;
  for (let at = place - 1; at >= 0; at--) {
    if (tokens[at] === ")") depth++;
    else if (tokens[at] === "(" && depth-- === 0) return at;
  }
  return 0;
}

function closing(tokens, start) {
  let depth = 0;
  for (let at = start; at < tokens.length; at++) {
    if (tokens[at] === "(") depth++;
    else if (tokens[at] === ")" && --depth === 0) return at;
  }
  return tokens.length - 1;
}

function groupsIn(tokens, from, to) {
  let count = 0;
  for (let at = from; at < to; at++) {
    if (tokens[at] !== "(") continue;
    count++;
    at = closing(tokens, at);
  }
  return count;
}
