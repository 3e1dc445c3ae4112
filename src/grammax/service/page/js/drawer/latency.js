// The time from a key press to the answer on the screen, measured in the browser.

const KEPT = 1000;

/** All measured times, in milliseconds; `window.__grammax` is for tests and benchmarks. */
export const latencies = [];
window.__grammax = { latencies };

/** The query whose answer is shown now. */
export function shown(query) {
  window.__grammax.shown = query;
}

/** Call once the answer is in the document: the time counts until it is painted. */
export function painted(started, then) {
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      latencies.push(performance.now() - started);
      if (latencies.length > KEPT) latencies.shift();
      then(latencies);
    };
    port2.postMessage(null); // handled right after the frame was painted
  });
}
