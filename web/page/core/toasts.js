/**
 * Short notices that come and go, told to screen readers as they appear.
 * @module
 */

import { el } from "./dom.js";

const LASTING = 6000;

export const toasts = el("div", { class: "toasts", role: "status", "aria-live": "polite" });

/** @param {string} words */
export function tell(words) {
  const toast = el("p", { class: "toast" }, words);
  toasts.append(toast);
  setTimeout(() => toast.remove(), LASTING);
}

/** @param {Error} error What went wrong, in the words that it came with. */
export function fail(error) {
  console.error(error);
  tell(error.message);
}
