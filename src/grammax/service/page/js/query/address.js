// The query in the address, so that a link can be shared: #q=long%20films.

const MARK = "#q=";

export function keepInAddress(query) {
  document.title = query ? `${query} – grammax` : "grammax";
  history.replaceState(null, "", query ? MARK + encodeURIComponent(query) : location.pathname);
}

/** The query of the address, or null if it has none. */
export function queryOfAddress() {
  if (location.hash && !location.hash.startsWith(MARK)) return null;
  const given = location.hash.slice(MARK.length);
  try {
    return decodeURIComponent(given);
  } catch {
    return given; // someone wrote it by hand: "50%"
  }
}
