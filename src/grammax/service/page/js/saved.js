// Saved searches: names and addresses, in the storage of the browser.

import { byId, el, replace } from "./dom.js";

const KEY = "grammax.saved";
const MOST = 50;

/** Save an address, or remove it if it is saved; returns false if the browser stores nothing. */
export function toggleSaved(name, address) {
  const others = saved().filter((one) => one.address !== address);
  const list = isSaved(address) ? others : [{ name, address }, ...others].slice(0, MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(list));
  } catch {
    return false; // storage is full or switched off
  }
  showSaved();
  return true;
}

export const isSaved = (address) => saved().some((one) => one.address === address);

/** Show the list. */
export function showSaved() {
  const list = saved();
  byId("saved").hidden = !list.length;
  replace(byId("saved-list"), ...list.map(item));
}

function item({ name, address }) {
  const remove = () => {
    toggleSaved(name, address);
    byId("query").focus();
  };
  return el(
    "li",
    {},
    el("a", { href: `#${address}`, text: name }),
    el("button", {
      type: "button",
      class: "drop",
      "aria-label": `Remove ${name} from the saved searches`,
      title: "Remove",
      text: "×",
      on: { click: remove },
    }),
  );
}

/** What is stored; whatever else may be under the key counts as nothing. */
function saved() {
  try {
    const list = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    const isText = (value) => typeof value === "string";
    return list.filter((one) => isText(one?.name) && isText(one?.address));
  } catch {
    return [];
  }
}
