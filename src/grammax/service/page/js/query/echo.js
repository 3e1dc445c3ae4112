// The query, with marks on words that were not understood and on corrected typos.

import { el, replace } from "../dom.js";

/** Show the marked words of a parse; with `always` the others are shown, too. */
export function showEcho(place, parse, always) {
  const worth = parse && (parse.uncovered.length || parse.typos.length || always);
  place.hidden = !worth;
  replace(place, ...(worth ? marked(parse) : []));
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

function marked(parse) {
  const lost = new Set(parse.uncovered);
  const typos = new Set(parse.typos.map((typo) => typo.place));
  const pieces = [];
  let end = 0;
  for (const { from, to, word } of located(parse)) {
    pieces.push(parse.query.slice(end, from));
    const text = parse.query.slice(from, to);
    const given = { "data-word": word, text };
    if (lost.has(word))
      pieces.push(el("mark", { ...given, class: "lost", title: "not understood" }));
    else if (typos.has(word)) pieces.push(...corrected(given, parse.words[word]));
    else pieces.push(el("span", given));
    end = to;
  }
  pieces.push(parse.query.slice(end));
  if (lost.size && !parse.abstains)
    pieces.push(el("span", { class: "legend", text: parse.notices.join(" ") }));
  return pieces;
}

function corrected(given, word) {
  return [
    el("span", { ...given, class: "typo" }),
    el("span", { class: "meant" }, el("span", { text: " → " }), el("ins", { text: word })),
  ];
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
