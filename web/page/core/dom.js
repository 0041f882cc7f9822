/**
 * Elements, made one by one: the page's security policy allows no markup in strings.
 * @module
 */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | null | undefined | false | Child[]} Child */

/**
 * Makes an HTML element.
 * @param {string} tag
 * @param {Record<string, any>} [attributes] `on` holds listeners, `style` custom properties and
 *   styles; null and false leave an attribute out.
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/**
 * Makes an SVG element.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * @template {Element} T
 * @param {T} element
 * @param {Record<string, any>} attributes
 * @param {Child[]} children
 * @returns {T}
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") listen(element, value);
    else if (name === "style") for (const [key, each] of Object.entries(value)) element.style.setProperty(key, each);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...nodes(children));
  return element;
}

/** @param {Element} element @param {Record<string, EventListener>} listeners */
function listen(element, listeners) {
  for (const [name, listener] of Object.entries(listeners)) element.addEventListener(name, listener);
}

/** @param {Child[]} children @returns {(Node | string)[]} */
function nodes(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));
}

/**
 * A button with words.
 * @param {string} words
 * @param {() => void} press
 * @param {Record<string, any>} [attributes]
 */
export function button(words, press, attributes = {}) {
  return el("button", { type: "button", ...attributes, on: { click: press } }, words);
}

/**
 * Puts new children into a place without losing the keyboard's focus: what had it before is
 * found again by its `data-focus`, or by its `data-token`.
 * @param {Element} place
 * @param {...Child} children
 */
export function refill(place, ...children) {
  const held = place.contains(document.activeElement) ? handle(document.activeElement) : null;
  place.replaceChildren(...nodes(children));
  if (held) place.querySelector(held)?.focus({ preventScroll: true });
}

/** @param {Element | null} element @returns {string | null} */
function handle(element) {
  for (const name of ["data-focus", "data-token"]) {
    const value = element?.getAttribute(name);
    if (value) return `[${name}="${CSS.escape(value)}"]`;
  }
  return null;
}
