// The whole answer as a file, made by the service.

import { postForFile } from "../api.js";

/** Save an answer as `{tokens, sort, format, name}` says; the button waits for it. */
export async function saveAs(button, asked, complain) {
  button.disabled = true;
  try {
    const { blob, name } = await postForFile("export", { ...asked, name: asked.name.slice(0, 300) });
    const address = URL.createObjectURL(blob);
    const link = document.createElement("a");
    link.href = address;
    link.download = name ?? `answer.${asked.format}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  } catch (error) {
    complain(error);
  } finally {
    button.disabled = false;
    button.focus();
  }
}
