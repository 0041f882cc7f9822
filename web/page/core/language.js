/**
 * The page's own words, in the language that the person has chosen. Words of moves, events and
 * errors come from the host.
 * @module
 */

import en from "../words/en.js";
import zhTW from "../words/zh-TW.js";
import { kept, keep } from "./settings.js";

/** @type {Record<string, any>} */
const CATALOGUES = { en, "zh-TW": zhTW };

/** @returns {string} */
export function language() {
  const chosen = kept("language");
  if (chosen && chosen in CATALOGUES) return chosen;
  return navigator.languages.some((tag) => tag.startsWith("zh")) ? "zh-TW" : "en";
}

/** @param {string} chosen */
export function speak(chosen) {
  keep("language", chosen);
  document.documentElement.lang = chosen === "zh-TW" ? "zh-Hant-TW" : chosen;
}

/** Languages by the names that their speakers give them. */
export const LANGUAGES = [
  ["en", "English"],
  ["zh-TW", "繁體中文"],
];

/** @param {string} key @returns {any} */
function entry(key) {
  return key.split(".").reduce((found, part) => found?.[part], CATALOGUES[language()]);
}

/** @param {string} key @returns {boolean} */
export function has(key) {
  return entry(key) !== undefined;
}

/**
 * A text of the catalogue.
 * @param {string} key Its path, such as "lobby.title".
 * @param {Record<string, any>} [values] What fills its {gaps}; `n` chooses between one and many.
 * @returns {string}
 */
export function t(key, values = {}) {
  const found = entry(key);
  if (found === undefined) return key;
  const text = typeof found === "string" ? found : found[new Intl.PluralRules(language()).select(values.n)] ?? found.other;
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/** @param {number} share 0 to 1. @returns {string} */
export function percent(share) {
  return new Intl.NumberFormat(language(), { style: "percent", maximumFractionDigits: 0 }).format(share);
}

/** @param {number} value @param {number} [digits] @returns {string} */
export function number(value, digits = 0) {
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(language(), format).format(value).replace("-", "−");
}

/** Text of a host, with a capital where the language has them. @param {string} words */
export function sentence(words) {
  return words.charAt(0).toLocaleUpperCase(language()) + words.slice(1);
}
