// "+ filter" and "+ column": a field is chosen by its name, and for a filter an operator and a
// value.

import { el, replace } from "../dom.js";
import { permittedAt } from "./chooser.js";
import { fieldOf, findFields, operatorsOf, typed } from "./values.js";
import { numberInput } from "./number.js";
import { closePanel, list, openPanel, refill } from "./picker.js";

/** Open below a button; `change(change)` has the service change the form. */
export function openAdder(button, what, change) {
  openPanel(button, `Add a ${what}`, (panel) =>
    what === "filter"
      ? fieldList(panel, "Filter by", (field) => conditionOf(panel, button, field, change))
      : fieldList(panel, "Show", async ({ token }) =>
          settle(panel, await change({ add_column: token }).catch(failure)),
        ),
  );
}

function fieldList(panel, label, choose) {
  return list(panel, {
    label: `${label}: search for a field`,
    of: "Fields",
    async look(search, signal) {
      const { fields, total } = await findFields(search, signal);
      const options = fields.map((field) => ({ ...field, detail: field.unit ?? "" }));
      const all = total.toLocaleString("en");
      const more = fields.length < total ? `The first ${fields.length} of ${all} fields.` : "";
      return { options, status: fields.length ? more : `No field is called “${search}”.` };
    },
    choose,
  });
}

async function conditionOf(panel, button, field, change) {
  let operators = [];
  try {
    operators = await operatorsOf(field);
  } catch (error) {
    return settle(panel, failure(error));
  }
  if (!operators.length) {
    return settle(panel, failure({ message: `${field.label} is shown, but not compared.` }));
  }
  refill(panel, button, (inside) => {
    inside.append(el("p", { class: "field", text: field.label }));
    return condition(inside, field, operators, change);
  });
}

/** The operator and the value; returns what to focus. */
function condition(panel, field, operators, change) {
  const select = el(
    "select",
    { "aria-label": "Operator" },
    ...operators.map(([op, words]) => el("option", { value: op, text: words })),
  );
  const permitted = operators.map(([op]) => op);
  const usual = field.type === "enum" ? ["EQ", "CONTAINS"] : ["GR", "CONTAINS", "EQ"];
  select.value = usual.find((op) => permitted.includes(op)) ?? permitted[0];
  const value = el("div", { class: "value" });
  const add = async (text) => {
    const made = { field: field.token, op: select.value, value: text };
    const edited = await change({ add_condition: made });
    if (edited.understood) closePanel();
    return edited.understood ? "" : edited.why;
  };
  const shown = () => {
    replace(value);
    const isTyped = field.type !== "enum" || select.value === "CONTAINS";
    return isTyped ? typedValue(value, field, select.value, add) : values(value, field, add);
  };
  select.addEventListener("change", shown);
  panel.append(select, value);
  return shown();
}

function typedValue(place, field, op, apply) {
  const isText = op === "CONTAINS";
  const hasMiddle = !isText && field.type !== "date" && field.middle !== null;
  const ranged = field.low === null ? fieldOf(field.token) : Promise.resolve(field);
  return numberInput(place, {
    text: hasMiddle ? typed(field.middle, field.type) : "",
    label: `${field.label}, value`,
    field: isText ? Promise.resolve(null) : ranged,
    apply,
  });
}

function values(place, field, add) {
  return list(place, {
    label: `Search the values of ${field.label}`,
    of: `Values of ${field.label}`,
    async look(search, signal) {
      if (!search && field.values.length) return { options: field.values, status: "" };
      return permittedAt(["(", field.token, "EQ"], 3, search, signal);
    },
    choose: async ({ token }) => settle(place, { why: await add(token).catch(messageOf) }),
  });
}

const messageOf = (error) => error.message;
const failure = (error) => ({ understood: false, why: error.message });

/** Close after a change; say why, if there was none. */
function settle(panel, { why }) {
  if (!why) return closePanel();
  const hint = panel.querySelector(".hint");
  hint.textContent = why;
  hint.classList.add("wrong");
}
