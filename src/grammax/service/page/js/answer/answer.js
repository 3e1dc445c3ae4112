// The answer: the number of rows, a table that can be sorted, a chart, and the CSV.

import { chart } from "./chart.js";
import { csv, download, fileName } from "./csv.js";
import { byId, el, replace } from "../dom.js";
import { counted as rowsCounted } from "../query/domain.js";
import { table } from "./table.js";

/** Show an answer; `more()` asks for more rows of it. */
export function showAnswer(section, { answer, query }, { more }) {
  section.hidden = answer === null;
  if (answer === null) return replace(section);
  if (answer.synthetic) byId("foot").hidden = false;
  const drawn = table(answer);
  const save = () => download(csv(answer.columns, drawn.rows()), fileName(query));
  replace(
    section,
    el(
      "header",
      {},
      el("p", { class: "count", text: counted(answer) }),
      answer.synthetic
        ? el("span", {
            class: "tag",
            title: "These numbers were generated, and are not real.",
            text: "synthetic numbers",
          })
        : null,
      answer.more ? el("button", { type: "button", text: "Show more", on: { click: more } }) : null,
      answer.rows.length
        ? el("button", { type: "button", id: "csv", text: "Download CSV", on: { click: save } })
        : null,
    ),
    ...(answer.notes ?? []).map((text) => el("p", { class: "note", text })),
    answer.rows.length ? drawn.element : null,
    answer.rows.length ? chart(answer) : null,
  );
}

/** "Showing 20 of 83 films". */
export function counted({ rows, total, more, summary }) {
  if (summary && rows.length) {
    const count = `${rows.length} row${rows.length > 1 ? "s" : ""}`;
    return more ? `Showing the first ${count}` : count;
  }
  if (!rows.length) return `There are no ${rowsCounted(0, "").trim()} like this.`;
  if (!more) return capitalised(rowsCounted(rows.length));
  return total === null
    ? `Showing the first ${rowsCounted(rows.length)}`
    : `Showing ${rows.length.toLocaleString("en")} of ${rowsCounted(total)}`;
}

const capitalised = (text) => text.charAt(0).toUpperCase() + text.slice(1);
