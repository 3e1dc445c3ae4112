// What each word of a query was taken for, by the tokens of the logical form that came from it.

const KINDS = {
  value: "value",
  field: "field",
  number: "number",
  unit: "number",
  time: "number",
  rank: "operator",
  order: "operator",
  aggregate: "operator",
  operator: "operator",
  connective: "operator",
};
// A word that several tokens came from belongs to the first of these.
const PREFERRED = ["value", "number", "time", "unit", "field", "rank", "order", "aggregate"];
const ARBITRARY = new Set(["AND"]); // any word may lead to these
const NUMERAL = /^[\d.-]$/;
const BEFORE_NUMBER = 4; // words that may say how a number is compared: "of no more than 5"
const SIGNS = /^[^\p{L}\p{N}<>=≤≥≠]+$/u;

/** For each word `{kind, chip, text}`: the kind is value, field, number, operator, noun (what rows are
 * called), filler, lost (it was not understood), or sign. Only the first four have a chip. */
export function meanings({ words, tokens, sources, chips, uncovered }, nouns) {
  const found = words.map(() => null);
  const byPlace = new Map(chips.map((chip) => [chip.place, chip]));
  const rank = ({ role }) => (PREFERRED.indexOf(role) + 1 || PREFERRED.length + 1);
  tokens.forEach((token, place) => {
    const chip = byPlace.get(place);
    if (!KINDS[chip?.role] || ARBITRARY.has(token)) return;
    for (const word of sources[place] ?? []) {
      const isNoun = nouns.includes(words[word]) && chip.role !== "value";
      if (!isNoun && (found[word] === null || rank(chip) < rank(found[word]))) found[word] = chip;
    }
  });
  const lost = new Set(uncovered);
  const compared = words.map((word, at) =>
    nouns.includes(word) ? null : comparison(at, found, tokens, byPlace),
  );
  return words.map((word, at) => {
    if (lost.has(at)) return { kind: "lost", chip: null };
    const chip = found[at] ?? compared[at];
    if (chip) return meaning(chip, { tokens, sources, byPlace });
    const kind = SIGNS.test(word) ? "sign" : nouns.includes(word) ? "noun" : "filler";
    return { kind, chip: null };
  });
}

/** What a chip says; a number is one thing with its scale and its unit: "10 billion". */
function meaning(chip, { tokens, sources, byPlace }) {
  if (!NUMERAL.test(chip.token)) return { kind: KINDS[chip.role], chip, text: chip.label };
  let { place: from, place: to } = chip;
  while (NUMERAL.test(tokens[from - 1])) from--;
  while (NUMERAL.test(tokens[to])) to++;
  const said = [tokens.slice(from, to).join("")];
  const isSaid = (place) => sources[place]?.some((word) => sources[chip.place].includes(word));
  for (; byPlace.get(to)?.role === "unit" && isSaid(to); to++) said.push(byPlace.get(to).label);
  return { kind: "number", chip: byPlace.get(from), text: said.join(" ") };
}

/** The comparison that a word without a token of its own says, right before its number. */
function comparison(word, found, tokens, byPlace) {
  if (found[word] !== null) return null;
  let next = word + 1;
  while (next < found.length && found[next] === null && next - word < BEFORE_NUMBER) next++;
  const number = found[next];
  if (!number || KINDS[number.role] !== "number") return null;
  for (let at = number.place - 1; at >= 0 && tokens[at] !== "("; at--) {
    if (byPlace.get(at)?.role === "operator") return byPlace.get(at);
  }
  return null;
}
