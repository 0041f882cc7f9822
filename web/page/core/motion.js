/**
 * Motion with restraint: things that have moved slide to their new place, new ones appear; and
 * nothing moves if the system says so.
 * @module
 */

import { still } from "./settings.js";

const DURATION = 220;

/**
 * Draws anew and slides everything with a `data-key` from where it was.
 * @param {Element} place
 * @param {() => void} draw
 */
export function sliding(place, draw) {
  if (still()) return draw();
  const before = places(place);
  draw();
  if (!before.size) return;
  for (const [key, { element, box }] of places(place)) {
    const old = before.get(key);
    if (old) slide(element, old.box, box);
    else element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: DURATION, easing: "ease-out" });
  }
}

/** @param {Element} place @returns {Map<string, {element: Element, box: DOMRect}>} */
function places(place) {
  const found = new Map();
  for (const element of place.querySelectorAll("[data-key]")) {
    found.set(element.getAttribute("data-key"), { element, box: element.getBoundingClientRect() });
  }
  return found;
}

/** @param {Element} element @param {DOMRect} old @param {DOMRect} box */
function slide(element, old, box) {
  const [x, y] = [old.x - box.x, old.y - box.y];
  if (Math.abs(x) + Math.abs(y) < 2) return;
  const from = { transform: `translate(${x}px, ${y}px)` };
  element.animate([from, { transform: "none" }], { duration: DURATION, easing: "cubic-bezier(.2,.7,.2,1)" });
}
