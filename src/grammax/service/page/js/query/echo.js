// The query, each word underlined by what it was taken for. A click on a word opens the chip that it
// became; words that were not understood are marked once they are finished.

import { byId, el, replace } from "../dom.js";
import { nouns } from "./domain.js";
import { meanings } from "./words.js";

const RESTED = 1000; // milliseconds after which the last word counts as finished
const NAMES = {
  value: "value",
  field: "field",
  number: "number or time",
  operator: "comparison or order",
  filler: "not used",
};
const OTHERS = { noun: "what is searched for", filler: "not used: nothing was taken from it" };

let waiting = 0;
let drawn = { parse: null }; // what was drawn last, and where

/** Show the words of a parse; `edit(place)` opens the chip of a token, and is null if there are other
 * chips than those of the parse. */
export function showEcho(place, parse, edit, isRested = false) {
  clearTimeout(waiting);
  place.hidden = parse === null;
  drawn = { place, parse, edit };
  const unfinished = parse !== null && !isRested ? lastWord(parse) : -1;
  const { pieces, kinds, isOpen } =
    parse === null ? { pieces: [], kinds: new Set() } : marked(parse, edit, unfinished);
  if (isOpen && !parse.unfinished) waiting = setTimeout(showEcho, RESTED, place, parse, edit, true);
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.of : null;
  replace(place, ...pieces);
  if (focused) place.querySelector(`[data-of="${focused}"]`)?.focus();
  showKey(byId("echo-key"), kinds);
}

/** Show a query that goes on from the one that is answered: its new words are not marked. */
export function showTyped(query) {
  const { place, parse, edit } = drawn;
  if (parse === null) return;
  clearTimeout(waiting);
  const goesOn = query.toLowerCase().startsWith(parse.query.toLowerCase());
  const pieces = goesOn ? marked(parse, edit, -1, false).pieces : [];
  replace(place, ...pieces, goesOn ? query.slice(parse.query.length) : query);
}

/** Highlight the words at some positions, in every echo of the query. */
export function lightWords(places) {
  const lit = new Set(places.map(String));
  for (const word of document.querySelectorAll("[data-word]")) {
    word.classList.toggle("lit", lit.has(word.dataset.word));
  }
}

/** The words of a parse as spans of the query's own text: `[{from, to, word}]`. */
export function located(parse) {
  const { folded, origin } = fold(parse.query);
  const typed = new Map(parse.typos.map((typo) => [typo.place, typo.typed]));
  const found = [];
  let from = 0;
  parse.words.forEach((word, place) => {
    const piece = fold(typed.get(place) ?? word.replace(/^#(?=.)/, "")).folded;
    const at = folded.indexOf(piece, from);
    if (at < 0 || !piece) return;
    from = at + piece.length;
    found.push({ from: origin[at], to: origin[from] ?? parse.query.length, word: place });
  });
  return found;
}

/** The word that is being typed, if one is: the last, with nothing after it. */
function lastWord({ query, words }) {
  const input = byId("query");
  return document.activeElement === input && input.value === query ? words.length - 1 : -1;
}

function marked(parse, edit, unfinished, hasNotices = true) {
  const silent = parse.abstains && edit !== null; // no chips are shown
  const found = meanings(parse, nouns());
  const typos = new Set(parse.typos.map((typo) => typo.place));
  const pieces = [];
  const kinds = new Set();
  let end = 0;
  let isOpen = false; // whether a word is unfinished that may still become something
  for (const run of runs(parse, found)) {
    const { kind, chip, text } = found[run[0].word];
    pieces.push(parse.query.slice(end, run[0].from));
    end = run.at(-1).to;
    const words = inside(parse, run, typos);
    isOpen = run[0].word === unfinished && chip === null;
    if (kind === "lost" && !isOpen) pieces.push(lost(words));
    else if (silent || isOpen || kind === "sign") pieces.push(...words);
    else {
      kinds.add(kind);
      const said = parse.query.slice(run[0].from, end);
      pieces.push(taken({ kind, chip, text, said, words }, edit));
    }
  }
  pieces.push(parse.query.slice(end));
  const isMarked = parse.uncovered.some((word) => word !== unfinished);
  if (hasNotices && isMarked && !parse.abstains)
    pieces.push(el("span", { class: "legend", text: parse.notices.join(" ") }));
  return { pieces, kinds, isOpen };
}

const lost = (words) => el("mark", { class: "lost", title: "not understood" }, ...words);

/** Words next to one another that came to the same chip belong together, as "sci fi". */
function runs(parse, found) {
  const groups = [];
  for (const place of located(parse)) {
    const before = groups.at(-1)?.at(-1);
    const isGlued = before?.to === place.from && found[place.word].kind === "filler";
    if (isGlued && found[before.word].chip !== null) found[place.word] = found[before.word]; // "a/b"
    const isSame =
      before && found[place.word].chip !== null && found[before.word].chip === found[place.word].chip;
    if (isSame) groups.at(-1).push(place);
    else groups.push([place]);
  }
  return groups;
}

function inside(parse, run, typos) {
  return run.flatMap(({ from, to, word }, at) => {
    const gap = at ? [parse.query.slice(run[at - 1].to, from)] : [];
    const given = { "data-word": word, text: parse.query.slice(from, to) };
    return [...gap, ...(typos.has(word) ? corrected(given, parse.words[word]) : [el("span", given)])];
  });
}

function corrected(given, word) {
  return [
    el("span", { ...given, class: "typo" }),
    el("span", { class: "meant" }, el("span", { text: " → " }), el("ins", { text: word })),
  ];
}

function taken({ kind, chip, text, said, words }, edit) {
  if (chip === null) return el("span", { class: kind, title: OTHERS[kind] }, ...words);
  const title = `${NAMES[kind]}: ${text}`;
  const light = (isLit) => () =>
    document
      .querySelector(`#form .chip[data-place="${chip.place}"]`)
      ?.classList.toggle("lit", isLit);
  if (edit === null || !chip.editable) return el("span", { class: kind, title }, ...words);
  return el(
    "button",
    {
      type: "button",
      class: kind,
      title: `${title}. Click to change it.`,
      "aria-label": `${said}, read as ${NAMES[kind]} ${text}. Change`,
      "data-of": chip.place,
      on: {
        click: () => edit(chip.place),
        mouseenter: light(true),
        mouseleave: light(false),
        focus: light(true),
        blur: light(false),
      },
    },
    ...words,
  );
}

/** What the underlines mean, of the kinds that there are. */
function showKey(place, kinds) {
  const shown = Object.keys(NAMES).filter((kind) => kinds.has(kind));
  place.hidden = !shown.length;
  replace(place, ...shown.map((kind) => el("span", {}, el("span", { class: kind, text: NAMES[kind] }))));
}

/** Letters without case and accents, and the position of each in the text. */
function fold(text) {
  let folded = "";
  const origin = [];
  let place = 0;
  for (const letter of text) {
    const plain = letter.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
    for (let unit = 0; unit < plain.length; unit++) origin.push(place);
    folded += plain;
    place += letter.length;
  }
  return { folded, origin };
}
