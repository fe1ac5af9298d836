// Elements from data. Text is always set as text, so nothing that a client sent can become markup.

const kSvg = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(kSvg, tag), attributes, children);
}

const shown = new Map();

// Replaces what is in `element` if `key` differs from the last time. The focus stays on the element of the same data-focus.
export function render(element, key, build) {
  const text = JSON.stringify(key);
  if (shown.get(element) === text) return;
  shown.set(element, text);
  const focused = document.activeElement;
  const name = element.contains(focused) ? focused.dataset.focus : undefined;
  element.replaceChildren(...[build()].flat(Infinity).filter(Boolean));
  if (name === undefined) return;
  const again = [...element.querySelectorAll("[data-focus]")].find((each) => each.dataset.focus === name);
  if (again) again.focus({ preventScroll: true });
}

// A length that data decides; an inline style attribute would be refused by the page's own policy.
export function width(element, fraction) {
  element.style.setProperty("width", `${Math.max(0, Math.min(1, fraction)) * 100}%`);
  return element;
}
