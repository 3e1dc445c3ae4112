// The page: shows the reading and the answer of the typed query. Only the newest request counts.

import { keepInAddress, queryOfAddress } from "./query/address.js";
import { counted, showAnswer } from "./answer/answer.js";
import { isAbort, pause, post } from "./api.js";
import { showForm, without } from "./form/chips.js";
import { closeChooser, openChooser } from "./form/chooser.js";
import { Completions } from "./query/completions.js";
import { byId, el, replace } from "./dom.js";
import { Drawer } from "./drawer/drawer.js";
import { lightWords, showEcho } from "./query/echo.js";
import { painted, shown } from "./drawer/latency.js";
import { complain, say } from "./query/notice.js";
import { answers, expected, introduce, reformed } from "./query/domain.js";
import { offered, remember, showLearnt } from "./form/lessons.js";
import { isUnsure, percent, showReadings } from "./form/readings.js";

const REST = 80; // milliseconds: a key press after such a rest is answered at once,
const QUIET = 30; // and those in quick succession once there is none for so long
const BEST = 3;
const ROWS = 20;
const MORE_ROWS = 200;

// Milliseconds after an answer without another key press, after which low-priority requests are
// sent, so that they do not delay the next answer.
const BEFORE_COMPLETIONS = 60;
const BEFORE_OTHER_READINGS = 90; // after those

const input = byId("query");
const result = byId("result");

let request = new AbortController();
let timer = 0;
let lastPress = -Infinity;
let drawn = null; // the tokens and rows on the screen: what stays as it is is not drawn again
let parse = null; // of the query
let forms = []; // what is shown is the last; before it, what undoing brings back

const drawer = new Drawer(() => showEcho(byId("echo"), parse, drawer.isOpen));
const completions = new Completions(input, byId("completions"), (text) => {
  input.value = `${text} `;
  ask();
});

/** Answer the text of the input; `pressed` is the time of the key press, if there was one. */
async function ask(pressed = null) {
  clearTimeout(timer);
  closeChooser();
  const query = input.value.trim();
  keepInAddress(query);
  const signal = newest();
  showLearnt(null);
  if (!query) return clear();
  const answered = await asking(signal, async (options) => {
    const told = (await answers)
      ? await post("ask", { query, rows: ROWS }, options)
      : { parse: await post("parse", { query }, options), answer: null };
    if (signal.aborted) return;
    const { parse: found } = told;
    parse = found;
    forms = [{ ...found, answer: told.answer }];
    show();
    shown(query);
    if (told.answer_error) complain(told.answer_error);
    if (pressed !== null) painted(pressed, (latencies) => drawer.timed(latencies));
    drawer.follow(query);
    lookFurther(found, signal).catch(() => {}); // the answer is there without it
  });
  if (!answered) forget(); // what is shown is of another query
}

/** Request completions and, if the parser is unsure, other readings, which cost five parses. */
async function lookFurther(found, signal) {
  await pause(BEFORE_COMPLETIONS, signal);
  if (document.activeElement === input) completions.look(input.value);
  if (!isUnsure(found)) return;
  await pause(BEFORE_OTHER_READINGS, signal);
  const { alternatives } = await post("parse", { query: found.query, best: BEST }, { signal });
  if (signal.aborted || parse !== found) return;
  parse = { ...found, alternatives };
  showOthers();
}

/** Run other tokens instead: an edit, with the label of the new token, or another reading. */
async function run(tokens, rows = ROWS, label = null) {
  const signal = newest();
  await asking(signal, async (options) => {
    const form = (await answers)
      ? await post("run", { tokens, rows }, options)
      : await reformed(forms.at(-1), tokens, label, options);
    if (signal.aborted) return;
    if (rows !== ROWS) forms.pop();
    forms.push(form);
    show();
  });
}

function newest() {
  request.abort();
  request = new AbortController();
  return request.signal;
}

/** Run a function that sends requests; false if the service refuses for good. */
async function asking(signal, work) {
  result.setAttribute("aria-busy", "true");
  try {
    await work({
      signal,
      waiting: (error) => complain({ message: error.message, hint: "Trying again …" }),
    });
  } catch (error) {
    if (isAbort(error)) return true;
    complain(error);
    result.setAttribute("aria-busy", "false");
    return false;
  }
  if (!signal.aborted) result.setAttribute("aria-busy", "false");
  return true;
}

function show() {
  const form = forms.at(-1);
  const edited = forms.length > 1;
  const silent = parse.abstains && !edited;
  const focused = document.activeElement?.dataset.place;
  complain(null);
  result.hidden = false;
  result.classList.toggle("abstains", silent);
  byId("paraphrase").textContent = silent ? notUnderstood(parse) : sentence(form.paraphrase);
  byId("sureness").textContent = edited
    ? "as you changed it"
    : silent
      ? "Say it in other words, or choose a reading."
      : `${percent(parse.confidence)} sure`;
  byId("form").hidden = silent;
  showEdits(edited);
  showEcho(byId("echo"), parse, drawer.isOpen);
  showOthers();
  const now = silent ? "" : `${form.tokens.join(" ")} ${form.answer?.rows.length}`;
  if (now !== drawn) {
    if (!silent) showForm(byId("form"), form, { edit, drop, point });
    showAnswer(byId("answer"), silent ? null : form.answer, {
      query: () => parse.query,
      more: () => run(form.tokens, MORE_ROWS),
    });
    drawn = now;
  }
  if (focused) document.querySelector(`.chip[data-place="${focused}"]`)?.focus();
  say(
    silent ? "Not understood." : `${form.answer ? counted(form.answer) : ""}: ${form.paraphrase}`,
  );
}

function showOthers() {
  showReadings(byId("readings"), forms.length > 1 ? null : parse, ({ tokens }) => run(tokens));
}

function edit(span, button) {
  openChooser(button, forms.at(-1).tokens, span, (tokens, label) => {
    run(tokens, ROWS, label).then(() => document.querySelector(`.chip[data-place="${span.from}"]`)?.focus());
  });
}

function drop(span) {
  run(without(forms.at(-1).tokens, span));
}

function point(place) {
  lightWords(forms.length === 1 && place >= 0 ? (parse.sources[place] ?? []) : []);
}

function showEdits(edited) {
  const back = (text, action) => el("button", { type: "button", text, on: { click: action } });
  byId("edits").hidden = !edited;
  replace(
    byId("edits"),
    ...(edited
      ? [
          back("Undo", () => undo(1)),
          forms.length > 2
            ? back("Back to the parser’s reading", () => undo(forms.length - 1))
            : null,
          back("Remember this correction", correct),
        ]
      : []),
  );
}

function undo(times) {
  if (forms.length < 2) return;
  newest();
  forms.length = Math.max(1, forms.length - times);
  show();
}

async function correct(event) {
  const button = event.currentTarget;
  const corrected = parse;
  button.disabled = true;
  try {
    const { offers, note } = await remember(parse.query, forms.at(-1).lf);
    button.textContent = "Remembered for the next training";
    if (note) button.after(el("small", { text: note }));
    if (parse === corrected) byId("edits").append(...offered(offers, { taught, failed: complain }));
  } catch (error) {
    button.disabled = false;
    complain(error);
  }
}

/** Read the query again, with the word that was learnt. */
async function taught(learnt) {
  await ask();
  showLearnt(learnt);
}

function clear() {
  forget();
  result.setAttribute("aria-busy", "false");
  complain(null);
  completions.close();
  drawer.follow("");
}

function forget() {
  parse = null;
  forms = [];
  drawn = null;
  result.hidden = true;
  showEcho(byId("echo"), null, false);
  say("");
}

function notUnderstood({ why, notices }) {
  return why === "out of domain" ? `This does not look like ${expected()}.` : notices.join(" ");
}

function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function readAddress() {
  const query = queryOfAddress();
  if (query === null || query === input.value.trim()) return;
  input.value = query;
  ask();
}

function begin(query) {
  input.value = query;
  input.focus();
  window.scrollTo({ top: 0 });
  ask();
}

input.addEventListener("input", (event) => {
  const rested = event.timeStamp - lastPress > REST;
  lastPress = event.timeStamp;
  clearTimeout(timer);
  if (rested) ask(event.timeStamp);
  else timer = setTimeout(ask, QUIET, event.timeStamp);
});
byId("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  ask();
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address keeps the query
  byId("answer").focus();
});
byId("home").addEventListener("click", (event) => {
  event.preventDefault();
  begin("");
});
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea");
  if (event.key === "/" && !typing) {
    event.preventDefault();
    input.focus();
    input.select();
  } else if (event.key === "Escape" && !event.defaultPrevented && drawer.isOpen) {
    event.preventDefault(); // the query stays
    drawer.toggle(false);
  } else if (event.key === "z" && (event.ctrlKey || event.metaKey) && !typing) {
    event.preventDefault();
    undo(1);
  }
});
window.addEventListener("hashchange", readAddress);

introduce(byId("samples"), begin);
readAddress();
input.focus();
