// The fields of the domain, from GET /fields.

import { ServiceError } from "../api.js";

const USUAL = 6;

let first = null;

/** The likeliest fields; none for a domain without fields. They are asked for once. */
export function usualFields() {
  first ??= askedFields({ limit: USUAL }).catch(() => ({ fields: [] }));
  return first.then(({ fields }) => fields);
}

/** GET /fields with some parameters: `{fields, total}`. */
export async function askedFields(parameters, signal) {
  const response = await fetch(`fields?${new URLSearchParams(parameters)}`, { signal });
  if (response.ok) return response.json();
  const told = await response.json().then(
    (json) => json.error,
    () => null,
  );
  throw new ServiceError(told?.message ?? "The fields cannot be listed.", told?.hint ?? "");
}
