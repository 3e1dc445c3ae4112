// The start of the service: while it loads, the page shows how far it is, and asks again and again.

import { byId, el, replace } from "./dom.js";

const EVERY = 250; // milliseconds between two looks
const SILENT = 10_000; // a look that takes longer is given up

let waiting = null; // one look at a time, whoever waits

/** Wait until queries can be sent. */
export function started() {
  waiting ??= untilStarted().finally(() => (waiting = null));
  return waiting;
}

async function untilStarted() {
  for (;;) {
    const found = await health();
    if (found?.answers) return show(null);
    show(found ?? { doing: "", progress: 0 });
    await new Promise((resolve) => setTimeout(resolve, EVERY));
  }
}

/** How far the start is; null if the service cannot be reached. */
async function health() {
  try {
    const response = await fetch("health", { signal: AbortSignal.timeout(SILENT) });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

function show(found) {
  const line = byId("starting");
  line.hidden = found === null;
  if (line.hidden) return;
  const what = found.doing ? `${found.doing} is being loaded …` : "The service cannot be reached.";
  if (line.firstChild?.textContent === what) {
    line.lastChild.value = found.progress;
    return;
  }
  const bar = el("progress", { max: 1, "aria-label": "The start of the service" });
  bar.value = found.progress;
  replace(line, el("span", { text: what }), bar);
}
