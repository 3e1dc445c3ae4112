// Draws a search: the reading as a sentence and as chips, other readings, and the answer or a row.

import { showAnswer, showRow } from "./answer/answer.js";
import { byId, el, replace } from "./dom.js";
import { showForm } from "./form/chips.js";
import { percent, showReadings } from "./form/readings.js";
import { counted, expected } from "./query/domain.js";
import { lightWords, showEcho } from "./query/echo.js";
import { complain, say } from "./query/notice.js";

let drawnRow = null; // the key of the row whose page is shown
let drawn = null; // the form and the answer on the screen: what stays as it is is not drawn again

/** Draw a search. `actions` are those of the page. */
export function show(search, actions) {
  const { form, parse, isEdited } = search;
  const silent = parse !== null && parse.abstains && !isEdited;
  const focused = document.activeElement?.dataset.place;
  complain(null);
  showPage(search.row, actions);
  byId("start").hidden = search.form !== null || search.row !== null;
  byId("result").hidden = form === null || search.row !== null;
  showEcho(byId("echo"), search.row === null ? parse : null, isEdited ? null : actions.editAt);
  if (form === null) {
    drawn = null;
    say("");
    return;
  }
  byId("result").classList.toggle("abstains", silent);
  byId("paraphrase").textContent = silent ? notUnderstood(parse) : sentence(form.paraphrase);
  byId("sureness").textContent = sureness(search, silent);
  byId("form").hidden = silent;
  showEdits(search, actions);
  showOthers(search, actions);
  const now = silent ? null : form;
  if (now === null || now.answer !== drawn?.answer || now.tokens !== drawn.tokens) {
    if (now !== null && now.tokens !== drawn?.tokens) showForm(byId("form"), form, actions);
    const shown = { form, answer: form.answer, sort: form.sort, query: search.query };
    showAnswer(byId("answer"), now === null ? { answer: null } : shown, actions);
    drawn = now;
  }
  if (focused) document.querySelector(`.chip[data-place="${focused}"]`)?.focus();
  say(silent ? "Not understood." : `${spoken(form.answer)}${form.paraphrase}`);
}

/** Show the page of a row, or leave it: its link in the answer then has the focus. */
function showPage(key, actions) {
  if (key === drawnRow) return;
  const before = drawnRow;
  drawnRow = key;
  byId("row").hidden = key === null;
  if (key !== null) showRow(byId("row"), key, actions);
  else
    requestAnimationFrame(() =>
      document.querySelector(`#answer a[data-row="${CSS.escape(before)}"]`)?.focus(),
    );
}

/** Show the other readings of a query that the parser is unsure about. */
export function showOthers({ parse, isEdited }, { run }) {
  showReadings(byId("readings"), isEdited ? null : parse, ({ tokens }) => run(tokens));
}

/** Light the words of the query that a token came from; none for -1. */
export function point({ parse, isEdited }, place) {
  lightWords(parse !== null && !isEdited && place >= 0 ? (parse.sources[place] ?? []) : []);
}

function sureness({ parse, isEdited }, silent) {
  if (isEdited) return parse === null ? "" : "as you changed it";
  if (silent) return "Say it in other words, or choose a reading.";
  return `${percent(parse.confidence)} sure${parse.uncovered.length ? " of the rest" : ""}`;
}

function showEdits({ forms, undone, parse, isEdited }, { undo, redo, correct }) {
  const button = (text, action) => el("button", { type: "button", text, on: { click: action } });
  const before = forms.length - 1;
  byId("edits").hidden = before < 1 && !undone.length;
  replace(
    byId("edits"),
    before > 0 ? button("Undo", () => undo(1)) : null,
    undone.length ? button("Redo", redo) : null,
    before > 1 && parse ? button("Back to the parser’s reading", () => undo(before)) : null,
    isEdited && parse ? button("Remember this correction", correct) : null,
  );
}

function notUnderstood({ why, notices }) {
  return why === "out of domain" ? `This does not look like ${expected()}.` : notices.join(" ");
}

function spoken(answer) {
  if (!answer) return "";
  return `${answer.total === null ? "Many" : counted(answer.total)}: `;
}

function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
