// The answer: how many, a table that sorts, a chart, and the CSV.

import { chart } from "./chart.js";
import { csv, download, fileName } from "./csv.js";
import { el, replace } from "./dom.js";
import { table } from "./table.js";

/** Show an answer; `more()` asks for more rows of it. */
export function showAnswer(section, answer, { query, more }) {
  section.hidden = answer === null;
  if (answer === null) return replace(section);
  const drawn = table(answer);
  const save = () => download(csv(answer.columns, drawn.rows()), fileName(query()));
  replace(
    section,
    el(
      "header",
      {},
      el("p", { class: "count", text: counted(answer) }),
      answer.synthetic
        ? el("span", {
            class: "tag",
            title: "Companies are real; numbers are generated.",
            text: "synthetic numbers",
          })
        : null,
      answer.more ? el("button", { type: "button", text: "Show more", on: { click: more } }) : null,
      answer.rows.length
        ? el("button", { type: "button", id: "csv", text: "Download CSV", on: { click: save } })
        : null,
    ),
    answer.rows.length ? drawn.element : null,
    answer.rows.length ? chart(answer) : null,
  );
}

/** "Showing 20 of 83 companies". */
export function counted({ rows, total, more }) {
  const count = rows.length.toLocaleString("en");
  if (!rows.length) return "No company in the market fits.";
  if (!more) return rows.length === 1 ? "One company" : `${count} companies`;
  return total === null
    ? `Showing the first ${count} companies`
    : `Showing ${count} of ${total.toLocaleString("en")} companies`;
}
