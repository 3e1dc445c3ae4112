// An answer as CSV (RFC 4180), with exact numbers.

/** The text of the file; cells that a spreadsheet would run as formulas are escaped. */
export function csv(columns, rows) {
  const heading = columns.map(({ label, unit }) => (unit ? `${label} (${unit})` : label));
  return [heading, ...rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}

/** Save the file through the browser. */
export function download(text, name) {
  const address = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** "grammax long films.csv", from a query. */
export function fileName(query) {
  const words = query
    .normalize("NFKD")
    .replace(/[^\w]+/g, " ")
    .trim()
    .slice(0, 60)
    .trim();
  return `grammax ${words || "answer"}.csv`;
}

function cell(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = Array.isArray(value) ? value.join("; ") : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
