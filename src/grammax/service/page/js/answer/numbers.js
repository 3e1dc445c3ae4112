// Formatted numbers: 1.23 bn, 4.5 %. The unit is in the heading.

const SCALES = [
  [1e12, "tn"],
  [1e9, "bn"],
  [1e6, "m"],
];

const fixed = (digits) =>
  new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
const FIXED = [0, 1, 2].map(fixed);
const EXACT = new Intl.NumberFormat("en", { maximumFractionDigits: 20 });
const TEXTS = new Set(["text", "date", "enum", "boolean"]);

/** Whether a column of an answer has numbers in it. */
export function isNumeric(column, rows, place) {
  return !TEXTS.has(column.type) && rows.some((row) => typeof row[place] === "number");
}

/** The fewest decimals, at most 2, that show the numbers among the values. */
export function digitsOf(values) {
  let digits = 0;
  for (const value of values) {
    if (typeof value !== "number") continue;
    while (digits < 2 && Math.abs(value - Number(value.toFixed(digits))) > 1e-9) digits++;
  }
  return digits;
}

/** The text of a cell; amounts have the sign of their currency, years no commas. */
export function shown(value, type, unit = null, digits = digitsOf([value])) {
  if (value === null || value === undefined || value === "") return "–";
  if (Array.isArray(value)) return value.map((one) => shown(one, "text")).join(", ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "number") return String(value);
  if (type === "year" || type === "coordinate" || type === "code") return minus(String(value));
  if (type === "money" && isSign(unit)) {
    const amount = compact(Math.abs(value), digits && 2);
    return `${value < 0 ? "−" : ""}${unit}${amount}`;
  }
  if (type === "percent") return `${minus(FIXED[Math.min(1, digits)].format(value))} %`;
  return compact(value, type === "money" || type === "per_share" ? digits && 2 : digits);
}

/** A cell in full, for its title. */
export function exact(value, unit) {
  if (typeof value !== "number") return null;
  return sign({ unit }) ? `${EXACT.format(value)} ${sign({ unit })}` : EXACT.format(value);
}

/** The unit of a column for its heading; ratios have none, and some are in the label already. */
export function sign({ unit, label = "" }) {
  const words = label.toLowerCase().split(/[^\p{L}\p{N}%]+/u);
  return !unit || unit === "x" || words.includes(unit.toLowerCase()) ? null : unit;
}

/** The number of groups of a summary: "46 groups". */
export const groupsCounted = (number) =>
  number === 1 ? "one row" : `${number.toLocaleString("en")} groups`;

/** What is told of columns of which some are generated. */
export function generated(columns) {
  const texts = columns.some((each) => each.synthetic && TEXTS.has(each.type));
  return texts ? "synthetic values" : "synthetic numbers";
}

const isSign = (unit) => typeof unit === "string" && /^[^A-Za-z0-9\s]$/.test(unit);

function compact(value, digits) {
  const size = Math.abs(value);
  for (const [scale, suffix] of SCALES) {
    if (size >= scale * 0.9995) return `${minus(significant(value / scale))} ${suffix}`;
  }
  return minus(size >= 1e4 ? FIXED[0].format(value) : FIXED[digits].format(value));
}

/** A number with three significant digits: 1.23, 12.3, 123. */
function significant(value) {
  const size = Math.abs(value);
  return FIXED[size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2].format(value);
}

const minus = (text) => text.replace("-", /[1-9]/.test(text) ? "−" : "");
