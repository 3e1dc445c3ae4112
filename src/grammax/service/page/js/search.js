// What is searched for: a query, its reading, the forms that edits made of it, and their answers.
// Only the newest request counts: a new one cancels those before it.

import { isAbort, pause, post } from "./api.js";
import { answers, reformed } from "./query/domain.js";

const ROWS = 20;
const RESTED = 1000; // milliseconds after which a last word that nothing begins with counts as finished
const FOREVER = 2 ** 31 - 1; // milliseconds, the most that a timer takes

export class Search {
  query = "";
  parse = null; // of the query; null if a form was run without one
  forms = []; // the last is shown, with its `answer` and `sort`; undoing leads to those before it
  undone = []; // what Redo brings back, the next one last
  row = null; // the key of the row whose page is shown
  isWaiting = false; // for the rest of a word, with the answer before it on the screen
  hasWaited = false; // so, before what is shown now
  #request = new AbortController();
  #changed;
  #unfinished;
  #busy;
  #complain;

  /** `changed(isStep)` is called when there is something else to show: a step is more than another
   * query that is being typed. `unfinished()` is called where the beginning of a word was not
   * understood, and what is shown stays for now. */
  constructor({ changed, unfinished, busy, complain }) {
    this.#changed = changed;
    this.#unfinished = unfinished;
    this.#busy = busy;
    this.#complain = complain;
  }

  get form() {
    return this.forms.at(-1) ?? null;
  }

  /** Whether the form is not the parser's own reading of the query. */
  get isEdited() {
    return this.forms.length > (this.parse === null ? 0 : 1);
  }

  /** Aborted by the next request. */
  get signal() {
    return this.#request.signal;
  }

  /** Read a query and answer it; resolves to whether it is shown now. If its last word may be
   * unfinished and is not understood, or begins a likelier name, what was shown stays. */
  async ask(query, isUnfinished = false) {
    this.query = query.trim();
    this.row = null;
    this.hasWaited = false;
    if (!this.query) return this.clear();
    return this.#sending(async (options) => {
      const asked = { query: this.query, typing: isUnfinished };
      const { parse, answer, answer_error } = (await answers)
        ? await post("ask", { ...asked, rows: ROWS }, options)
        : { parse: await post("parse", asked, options), answer: null };
      if (options.signal.aborted) return;
      if (isUnfinished) await this.#rest(parse, options.signal);
      this.parse = parse;
      this.forms = [{ ...parse, answer, sort: null }];
      this.undone = [];
      this.#changed(false);
      if (answer_error) this.#complain(answer_error);
    }, this.#forget);
  }

  /** Show another form, given as tokens or text: an edit, with the label of its new token. */
  run(tokensOrText, label = null) {
    const { form } = this;
    const sort = typeof form?.sort?.column === "string" ? form.sort : null;
    return this.#sending(async (options) => {
      const found = (await answers)
        ? await this.#run(tokensOrText, { sort }, options)
        : await reformed(form, tokensOrText, label, options);
      if (options.signal.aborted) return;
      this.row = null;
      this.forms.push(found);
      this.undone = [];
      this.#changed(true);
    });
  }

  /** Sort all rows by a column; without one, in the order of the form. */
  sort(column = null, descending = false) {
    const sort = column === null ? null : { column, descending };
    const { form } = this;
    return this.#sending(async (options) => {
      const found = await this.#run(form.tokens, { sort }, options);
      if (options.signal.aborted) return;
      this.forms[this.forms.length - 1] = { ...form, answer: found.answer, sort: found.sort };
      this.#changed(true);
    });
  }

  /** Add the next rows to those that are shown. */
  more(rows) {
    const { form } = this;
    const { rows: before } = form.answer;
    return this.#sending(async (options) => {
      const view = { sort: form.sort, rows, offset: before.length };
      const { answer } = await this.#run(form.tokens, view, options);
      if (options.signal.aborted) return;
      const whole = { ...answer, rows: [...before, ...answer.rows], offset: 0 };
      this.forms[this.forms.length - 1] = { ...form, answer: whole };
      this.#changed(false);
    });
  }

  /** Show the page of one row. */
  open(row) {
    this.cancel();
    this.row = row;
    this.#changed(true);
  }

  undo(times = 1) {
    const least = this.parse === null ? 1 : 0; // what was run without a query has nothing before it
    while (times-- > 0 && this.isEdited && this.forms.length > least) {
      this.undone.push(this.forms.pop());
    }
    this.cancel();
    this.#changed(true);
  }

  redo() {
    if (!this.undone.length) return;
    this.cancel();
    this.forms.push(this.undone.pop());
    this.#changed(true);
  }

  /** Show nothing, or one row alone. */
  clear(row = null) {
    this.cancel();
    this.query = "";
    this.row = row;
    this.#forget();
    return false;
  }

  /** Wait for the rest of the last word: until it comes if there is a completion that would change
   * what the query means, and for a while if the query is not understood. */
  async #rest({ abstains, unfinished }, signal) {
    if (!abstains && unfinished !== "likely") return;
    this.isWaiting = this.hasWaited = true;
    this.#busy(false);
    this.#unfinished();
    try {
      await pause(unfinished ? FOREVER : RESTED, signal);
    } finally {
      this.isWaiting = false;
    }
  }

  async #run(tokensOrText, view, options) {
    const what = typeof tokensOrText === "string" ? { lf: tokensOrText } : { tokens: tokensOrText };
    const asked = { rows: ROWS, ...what, ...view };
    try {
      return { ...(await post("run", asked, options)), sort: view.sort };
    } catch (error) {
      if (error.code !== "bad_sort") throw error; // the form has no longer such a column
      return { ...(await post("run", { ...asked, sort: null }, options)), sort: null };
    }
  }

  #forget() {
    this.parse = null;
    this.forms = [];
    this.undone = [];
    this.#changed(false);
  }

  /** Give up what is under way, and leave what is shown. */
  cancel() {
    this.#request.abort();
    this.#request = new AbortController();
    this.#busy(false);
  }

  /** Run a function that sends requests; true if what it asked for is shown. If the service
   * refuses, `failed` is called. */
  async #sending(work, failed = null) {
    this.cancel();
    const { signal } = this.#request;
    this.#busy(true);
    try {
      await work({
        signal,
        waiting: (error) => this.#complain({ message: error.message, hint: "Trying again …" }),
      });
    } catch (error) {
      if (isAbort(error)) return false;
      failed?.call(this);
      this.#complain(error);
      this.#busy(false);
      return false;
    }
    if (signal.aborted) return false;
    this.#busy(false);
    return true;
  }
}
