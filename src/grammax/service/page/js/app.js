// The page: connects what people do with the search, and the search with what is drawn.

import { post, pause } from "./api.js";
import { byId, el } from "./dom.js";
import { Drawer } from "./drawer/drawer.js";
import { painted, shown } from "./drawer/latency.js";
import { closePanel, openChooser, showAdders } from "./form/adders.js";
import { chipAt, without } from "./form/chips.js";
import { FollowUp } from "./form/follow.js";
import { offered, remember, showLearnt } from "./form/lessons.js";
import { isUnsure, withCounts } from "./form/readings.js";
import { addressOf, readAddress, settle, writeAddress } from "./query/address.js";
import { Completions } from "./query/completions.js";
import { answers, introduce } from "./query/domain.js";
import { showTyped } from "./query/echo.js";
import { complain } from "./query/notice.js";
import { isSaved, showSaved, toggleSaved } from "./saved.js";
import { Search } from "./search.js";
import { started } from "./startup.js";
import { point, show, showOthers } from "./view.js";

const PATIENCE = 150; // milliseconds that a key press waits for the answer to the one before
const SLOW = 100; // milliseconds after which what is shown is marked as old
const BEST = 3;

// Milliseconds after an answer without another key press, after which low-priority requests are
// sent, so that they do not delay the next answer.
const BEFORE_COMPLETIONS = 60;
const BEFORE_OTHER_READINGS = 90; // after those
const BEFORE_FIELDS = 250;

const input = byId("query");
let timer = 0;
let suggesting = 0;
let slow = 0; // a timer
let isTyping = false; // whether a key press is being answered
let waiting = null; // the key press that is answered next
let restoring = null; // what restores the search of the address, until it has

const showBusy = (isBusy) => byId("result").setAttribute("aria-busy", String(isBusy));

const search = new Search({
  changed(isStep) {
    show(search, actions);
    followUp.show(search);
    clearTimeout(suggesting);
    suggesting = setTimeout(suggest, BEFORE_FIELDS);
    keepAddress(isStep);
  },
  unfinished() {
    showTyped(search.query);
    lookForCompletions(search.signal).catch(() => {});
  },
  busy(isBusy) {
    clearTimeout(slow);
    if (isBusy) slow = setTimeout(showBusy, SLOW, true);
    else showBusy(false);
  },
  complain,
});

const drawer = new Drawer();
const completions = new Completions(input, byId("completions"), (text) => {
  input.value = `${text} `;
  ask();
});

const actions = {
  ask: begin,
  run: (tokens, label = null) => search.run(tokens, label),
  sort: (column, descending) => search.sort(column, descending),
  more: (rows) => search.more(rows),
  row: (key) => search.open(key),
  undo: (times) => search.undo(times),
  redo: () => search.redo(),
  point: (place) => point(search, place),
  complain,
  correct,
  edit(span, button) {
    const choose = async (tokens, label) => {
      await search.run(tokens, label);
      document.querySelector(`.chip[data-place="${span.from}"]`)?.focus();
    };
    openChooser(button, search.form.tokens, span, { choose, change }).catch(complain);
  },
  change,
  /** Open the chip of a token. */
  editAt: (place) => chipAt(place)?.click(),
  drop: (span) => search.run(without(search.form.tokens, span)),
};

const followUp = new FollowUp(byId("follow"), actions);

/** What needs the fields of the domain: they are asked for once, and never while someone types. */
function suggest() {
  if (search.form === null) return;
  showAdders(byId("adders"), actions);
  followUp.suggest(search.form);
}

/** Have the service change the form, and show it; resolves to what the service made of it. */
async function change(wanted) {
  const { form } = search;
  let isWaiting = false;
  const waiting = ({ message }) => {
    isWaiting = true;
    complain({ message, hint: "Trying again …" });
  };
  const edited = await post("edit", { tokens: form.tokens, ...wanted }, { waiting }).finally(
    () => isWaiting && complain(null),
  );
  if (edited.understood && search.form === form) await search.run(edited.tokens);
  return edited;
}

/** Open the dictionary of fields, which is loaded when it is wanted. */
async function openFields() {
  try {
    await loadFields();
  } catch {
    complain({ message: "The service cannot be reached.", hint: "Trying again …" });
    await started();
    complain(null);
    await loadFields().catch(complain);
  }
}

async function loadFields() {
  const { openDictionary, addField } = await import("./query/dictionary.js");
  await openDictionary((field) => addField(field, search, actions));
}

/** Answer the text of the input; `pressed` is the time of the key press, if there was one, after
 * which its last word may be unfinished. */
async function ask(pressed = null, isWhole = true) {
  clearTimeout(timer);
  closePanel();
  showLearnt(null);
  if (!input.value.trim()) {
    completions.close();
    drawer.follow("");
  }
  if (!(await search.ask(input.value, !isWhole && /\S$/.test(input.value)))) return;
  shown(search.query);
  if (pressed !== null && !search.hasWaited) painted(pressed, (latencies) => drawer.timed(latencies));
  drawer.follow(search.query);
  lookFurther(search.parse, search.signal).catch(() => {}); // the answer is there without it
}

/** Answer a key press at once, or after the answer that is under way, unless that takes long. */
async function typed({ timeStamp: pressed, inputType, data }) {
  clearTimeout(timer);
  restoring = null;
  const isWhole = inputType?.startsWith("insertFrom") || /\S\s+\S/.test(data); // it was pasted
  if (isTyping) {
    waiting = { pressed, isWhole };
    if (search.isWaiting) return search.cancel();
    timer = setTimeout(() => {
      waiting = null;
      ask(pressed, isWhole);
    }, PATIENCE);
    return;
  }
  isTyping = true;
  for (waiting = { pressed, isWhole }; waiting !== null; ) {
    const now = waiting;
    waiting = null;
    await ask(now.pressed, now.isWhole);
  }
  isTyping = false;
}

async function lookForCompletions(signal) {
  await pause(BEFORE_COMPLETIONS, signal);
  if (document.activeElement === input) completions.look(input.value);
}

/** Request completions and, if the parser is unsure, other readings, which cost five parses. */
async function lookFurther(parse, signal) {
  await lookForCompletions(signal);
  if (!isUnsure(parse)) return;
  await pause(BEFORE_OTHER_READINGS, signal);
  const { alternatives } = await post("parse", { query: parse.query, best: BEST }, { signal });
  if (signal.aborted || search.parse !== parse) return;
  search.parse = { ...parse, alternatives };
  showOthers(search, actions);
  if (!(await answers)) return;
  const counted = await withCounts(search.parse, { signal });
  if (signal.aborted || search.parse.query !== counted.query) return;
  search.parse = counted;
  showOthers(search, actions);
}

async function correct(event) {
  const button = event.currentTarget;
  const corrected = search.parse;
  button.disabled = true;
  try {
    const { offers, note } = await remember(corrected.query, search.form.lf);
    button.textContent = "Remembered for the next training";
    if (note) button.after(el("small", { text: note }));
    if (search.parse === corrected)
      byId("edits").append(...offered(offers, { taught, failed: complain }));
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

/** What the address has of the search. */
function addressed() {
  const { query, row, form, isEdited } = search;
  return { query, lf: isEdited ? form.lf : null, sort: form?.sort ?? null, row };
}

function keepAddress(isStep) {
  const now = addressed();
  if (!restoring) writeAddress(now, isStep);
  if (now.query) document.title = `${now.query} – grammax`;
  const save = byId("save");
  const isStored = isSaved(addressOf(now));
  save.hidden = !now.query && !now.lf;
  save.setAttribute("aria-pressed", String(isStored));
  save.textContent = isStored ? "Saved" : "Save";
}

/** Show what the address asks for, after a link, a reload, or going back and forward. */
async function restore() {
  const wanted = readAddress();
  if (!restoring && addressOf(wanted) === addressOf(addressed())) return;
  const { query, lf, sort, row } = wanted;
  const mine = (restoring = Symbol("restoration"));
  const isCurrent = () => restoring === mine;
  input.value = query ?? "";
  if (query === null) search.clear(lf === null ? row : null);
  else if (query !== search.query || search.isEdited || search.form === null) await ask();
  if (lf !== null && isCurrent()) await search.run(lf);
  if (sort !== null && search.form?.answer && isCurrent())
    await search.sort(sort.column, sort.descending);
  if (!isCurrent()) return;
  if (row !== search.row) search.open(row);
  restoring = null;
}

function begin(query) {
  restoring = null;
  settle();
  input.value = query;
  input.focus();
  window.scrollTo({ top: 0 });
  ask();
}

input.addEventListener("input", typed);
byId("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  ask().then(settle);
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address keeps the query
  byId("answer").focus();
});
byId("home").addEventListener("click", (event) => {
  event.preventDefault();
  begin("");
});
byId("fields").addEventListener("click", openFields);
byId("save").addEventListener("click", () => {
  const now = addressed();
  const name = now.lf === null ? now.query : search.form.paraphrase;
  if (!toggleSaved(name, addressOf(now)))
    complain({ message: "The browser does not store anything.", hint: "Its settings forbid it." });
  keepAddress(false);
});
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea");
  if (event.key === "/" && !typing) {
    event.preventDefault();
    input.focus();
    input.select();
  } else if (event.key === "?" && !typing && !byId("fields").hidden) {
    event.preventDefault();
    openFields();
  } else if (event.key === "Escape" && !event.defaultPrevented && drawer.isOpen) {
    event.preventDefault(); // the query stays
    drawer.toggle(false);
  } else if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !typing) {
    event.preventDefault();
    if (event.shiftKey) search.redo();
    else search.undo();
  }
});
window.addEventListener("popstate", restore);

introduce(byId("samples"), begin);
showSaved();
restore();
input.focus();
