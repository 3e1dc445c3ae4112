// The query behind an answer, to be taken elsewhere: the logical form, SQL, a command, a link.

import { postForFile } from "../api.js";
import { el } from "../dom.js";

/** Open beside a button the query of `{form, sort}`. */
export function showSource(button, { form, sort }) {
  const panel = el("div", {
    class: "source",
    popover: "auto",
    role: "dialog",
    "aria-labelledby": "source-title",
  });
  const sql = part("SQL", "…");
  const close = el("button", {
    type: "button",
    class: "close",
    "aria-label": "Close",
    text: "×",
    on: { click: () => panel.hidePopover() },
  });
  panel.append(
    el("div", { class: "line" }, el("h2", { id: "source-title", text: "The query of this answer" }), close),
    part("Logical form", form.lf).element,
    sql.element,
    part("Command", curl(form.lf, sort)).element,
    part("Link", location.href).element,
  );
  panel.addEventListener("toggle", (event) => {
    if (event.newState !== "closed") return;
    panel.remove();
    if (document.activeElement === document.body) button.focus();
  });
  document.body.append(panel);
  panel.showPopover();
  close.focus();
  postForFile("export", { tokens: form.tokens, sort, format: "sql" })
    .then(({ blob }) => blob.text())
    .then(sql.set, (error) => sql.element.replaceChildren(el("p", { text: error.message })));
}

function part(title, text) {
  const code = el("pre", { tabindex: "0", "aria-label": title, text });
  const copy = async () => {
    const done = await copied(code);
    button.textContent = done ? "Copied" : "Press Ctrl+C";
  };
  const button = el("button", {
    type: "button",
    "aria-label": `Copy: ${title}`,
    text: "Copy",
    on: { click: copy },
  });
  const element = el(
    "section",
    {},
    el("div", { class: "line" }, el("h3", { text: title }), button),
    code,
  );
  return { element, set: (given) => (code.textContent = given) };
}

/** Copy a text; where the clipboard is closed, as without HTTPS, it is selected and copied so. */
async function copied(code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(code);
    return document.execCommand("copy");
  }
}

/** A command for a POSIX shell, with the text in single quotes. */
function curl(lf, sort) {
  const asked = { lf, rows: 1000, ...(sort ? { sort } : {}) };
  const body = JSON.stringify(asked).replaceAll("'", "'\\''");
  const address = new URL("run", document.baseURI).href.replace(/#.*/, "");
  return `curl '${address}' -H 'Content-Type: application/json' -d '${body}'`;
}
