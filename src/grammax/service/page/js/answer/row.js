// One row: all its values in groups, and the rows that are most like it.

import { isAbort, post } from "../api.js";
import { el, replace } from "../dom.js";
import { counted } from "../query/domain.js";
import { exact, generated, shown, sign } from "./numbers.js";
import { Table } from "./table.js";

let request = new AbortController();

/** Show the page of a row. */
export async function rowPage(section, key, actions) {
  request.abort();
  request = new AbortController();
  const { signal } = request;
  const back = el("button", {
    type: "button",
    class: "back",
    text: "← Back",
    on: { click: () => actions.row(null) },
  });
  const title = (text) => el("h2", { id: "row-title", text });
  replace(section, back, title(key));
  section.setAttribute("aria-busy", "true");
  try {
    const row = await post("row", { key }, { signal });
    document.title = `${row.name} – grammax`;
    const head = el(
      "header",
      {},
      title(row.name),
      row.key === row.name ? null : el("p", { class: "key", text: row.key }),
      row.synthetic ? el("span", { class: "tag", text: generated(row.groups.flatMap((each) => each.values)) }) : null,
    );
    replace(section, back, head, ...drawn(row, actions));
  } catch (error) {
    if (isAbort(error)) return;
    replace(section, back, title(key), el("p", { class: "note", text: error.message }));
  }
  section.setAttribute("aria-busy", "false");
  section.focus();
  window.scrollTo({ top: 0 });
}

/** The same without a title, for the only row of an answer. */
export async function details(key, actions, signal) {
  return drawn(await post("row", { key }, { signal }), actions);
}

function drawn({ groups, peers }, actions) {
  return [
    el("div", { class: "values" }, ...groups.map(group)),
    peers?.rows.length ? alike(peers, actions) : null,
  ];
}

function group({ title, values }) {
  return el(
    "section",
    { "aria-label": title },
    el("h3", { text: title }),
    el(
      "dl",
      {},
      ...values.map((each) =>
        el(
          "div",
          {},
          el("dt", { text: each.label }),
          el("dd", { title: exact(each.value, each.unit), text: withUnit(each) }),
        ),
      ),
    ),
  );
}

function withUnit({ value, type, unit, label }) {
  const text = shown(value, type, unit);
  const name = sign({ unit, label });
  return typeof value !== "number" || !name || text.includes(name) ? text : `${text} ${name}`;
}

function alike({ columns, rows, tokens, paraphrase, total }, actions) {
  const label = `Similar ${counted(2, "").trim()}`;
  const table = new Table({ answer: { columns, rows, key: 0 }, label }, { row: actions.row });
  const all = total === null ? "Show all" : `Show all ${counted(total)}`;
  return el(
    "section",
    { class: "alike" },
    el("h3", { text: label }),
    table.element,
    el("button", {
      type: "button",
      class: "more",
      title: paraphrase,
      text: `${all}: ${paraphrase}`,
      on: { click: () => actions.run(tokens) },
    }),
  );
}
