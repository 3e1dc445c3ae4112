// The fields of the domain, from GET /fields, and what they are compared with.

import { ServiceError, post } from "../api.js";

const MOST = 60;
const USUAL = 12;
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

let first = null;

/** Fields with a name like a text, the likeliest first: `{fields, total}`. */
export async function findFields(search, signal) {
  return asked({ search, limit: MOST }, signal);
}

/** The likeliest fields; none for a domain without fields. */
export function usualFields() {
  first ??= asked({ limit: USUAL }).catch(() => ({ fields: [], total: 0 }));
  return first.then(({ fields }) => fields);
}

/** One field with its range; null if it cannot be had. */
export async function fieldOf(token, signal) {
  const found = await asked({ token }, signal).catch(() => null);
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

async function asked(parameters, signal) {
  const response = await fetch(`fields?${new URLSearchParams(parameters)}`, { signal });
  if (response.ok) return response.json();
  const told = await response.json().then(
    (json) => json.error,
    () => null,
  );
  throw new ServiceError(told?.message ?? "The fields cannot be listed.", told?.hint ?? "");
}
