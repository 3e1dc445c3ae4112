// Requests to the service. A busy service is asked again; every other error becomes a
// `ServiceError` with a message for people.

const PATIENCE = 5; // times that a busy service is asked again
const FIRST_WAIT = 250; // milliseconds, doubled each time
const LONGEST_WAIT = 4000;

export class ServiceError extends Error {
  constructor(message, hint = "", status = 0, code = "") {
    super(message);
    this.hint = hint;
    this.status = status;
    this.code = code;
  }
}

/** POST JSON, for JSON. `waiting` is called each time that the service is busy, before a retry. */
export async function post(path, body, options) {
  return (await answered(path, body, options)).json();
}

/** POST JSON, for a file: its content, and its name if it has one. */
export async function postForFile(path, body, options) {
  const response = await answered(path, body, options);
  const [, name] = /filename\*=UTF-8''(\S+)/.exec(response.headers.get("Content-Disposition")) ?? [];
  return { blob: await response.blob(), name: name && decodeURIComponent(name) };
}

async function answered(path, body, { signal, waiting } = {}) {
  for (let attempt = 0; ; attempt++) {
    const { response, trouble } = await sent(path, body, signal);
    if (response?.ok) return response;
    const error = trouble ?? (await described(response));
    if (!isPassing(error.status) || attempt >= PATIENCE) throw error;
    waiting?.(error);
    await pause(delay(response, attempt), signal);
  }
}

export const isAbort = (error) => error?.name === "AbortError";

const isPassing = (status) => status === 0 || status === 429 || status === 503;

async function sent(path, body, signal) {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal,
    });
    return { response };
  } catch (error) {
    if (isAbort(error)) throw error;
    return { trouble: new ServiceError("The service cannot be reached.", "Is it running?") };
  }
}

async function described(response) {
  const { status } = response;
  const told = await response.json().then(
    (json) => json.error,
    () => null,
  );
  if (status === 429 || status === 503) {
    return new ServiceError("The service is busy.", told?.hint ?? "", status);
  }
  const message = told?.message ?? `The service answered with status ${status}.`;
  return new ServiceError(message, told?.hint ?? "", status, told?.code);
}

function delay(response, attempt) {
  const asked = Number(response?.headers.get("Retry-After")) * 1000;
  return Math.min(LONGEST_WAIT, asked > 0 ? asked : FIRST_WAIT * 2 ** attempt);
}

/** Wait, unless the signal is aborted. */
export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
