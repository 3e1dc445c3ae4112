// Fields and what they are compared with: their operators, their usual values, numbers as typed.

import { post } from "../api.js";
import { askedFields } from "./fields.js";

const MOST = 60;
const OPERATORS = ["EQ", "NEQ", "GR", "GE", "LS", "LE", "CONTAINS"];
const OF_DATES = { EQ: "in", NEQ: "not in", GR: "after", GE: "from", LS: "before", LE: "until" };
const SCALES = [
  [1e12, "tn"],
  [1e9, "bn"],
  [1e6, "m"],
];
const WORDS = { thousand: 1e3, k: 1e3, million: 1e6, m: 1e6, billion: 1e9, bn: 1e9, b: 1e9, trillion: 1e12, tn: 1e12 };
const LOGARITHMIC = 50; // how many times the high end of a slider is its low one
export const STEPS = 200;

/** Fields with a name like a text, the likeliest first: `{fields, total}`. */
export async function findFields(search, signal) {
  return askedFields({ search, limit: MOST }, signal);
}

/** One field with its range; null if it cannot be had. */
export async function fieldOf(token, signal) {
  const found = await askedFields({ token }, signal).catch(() => null);
  return found?.fields[0] ?? null;
}

/** The operators that the grammar permits after a field, in words. */
export async function operatorsOf({ token, type }, signal) {
  const { choices } = await post("next", { tokens: ["(", token] }, { signal });
  const words = new Map(choices.map((choice) => [choice.token, choice.label]));
  const named = type === "date" ? OF_DATES : {};
  return OPERATORS.filter((op) => words.has(op)).map((op) => [op, named[op] ?? words.get(op)]);
}

/** A number as a person would type it: 2.5bn, 5%, 1500. */
export function typed(value, type) {
  if (type === "year") return String(Math.round(value));
  const rounded = Number(value.toPrecision(3));
  if (type === "percent") return `${rounded}%`;
  if (type === "count" && Math.abs(rounded) < 1e6) return String(Math.round(rounded));
  const [scale, suffix] = SCALES.find(([least]) => Math.abs(rounded) >= least) ?? [1, ""];
  return `${Number((rounded / scale).toPrecision(3))}${suffix}`;
}

/** What a typed number stands for; NaN if it is not plain. */
export function valueOf(text) {
  const found = /^[^\d-]*(-?\d[\d,]*(?:\.\d+)?)\s*([a-z]*)/i.exec(text.trim());
  if (!found) return NaN;
  return Number(found[1].replaceAll(",", "")) * (WORDS[found[2].toLowerCase()] ?? 1);
}

/** From the steps of a slider to values between the low and the high end, and back. */
export function scaleOf({ low, high }) {
  const isLog = low > 0 && high / low > LOGARITHMIC;
  const to = (value) => (isLog ? Math.log(value) : value);
  const span = to(high) - to(low);
  return {
    valueAt(step) {
      const value = to(low) + (step / STEPS) * span;
      return isLog ? Math.exp(value) : value;
    },
    stepOf: (value) =>
      Math.max(0, Math.min(STEPS, Math.round(((to(Math.max(value, low)) - to(low)) / span) * STEPS))),
  };
}
