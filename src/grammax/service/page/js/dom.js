// Creates elements. Text is only ever set as text, so text from users or the service is never
// parsed as HTML.

/** An element: `{class, text, on: {click}, ...attributes}`, then its children. */
export function el(tag, given = {}, ...children) {
  return filled(document.createElement(tag), given, children);
}

/** The same for SVG. */
export function svg(tag, given = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), given, children);
}

/** Replace the children of an element. */
export function replace(parent, ...children) {
  parent.replaceChildren(...children.filter((child) => child !== null));
}

export const byId = (id) => document.getElementById(id);

function filled(element, { text, on, ...attributes }, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, String(value));
    }
  }
  for (const [name, listener] of Object.entries(on ?? {})) element.addEventListener(name, listener);
  if (text !== undefined) element.textContent = text;
  element.append(...children.filter((child) => child !== null));
  return element;
}
