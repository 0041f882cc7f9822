/**
 * What this browser remembers between visits: language, colours, the person's name.
 * @module
 */

/** @param {string} name @returns {string | null} Null also where nothing may be stored. */
export function kept(name) {
  try {
    return localStorage.getItem(`adamas.${name}`);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} value */
export function keep(name, value) {
  try {
    localStorage.setItem(`adamas.${name}`, value);
  } catch {
    // Private windows may forbid it: then the choice lasts as long as the page.
  }
}

/** The themes in the order of the switch; "system" goes by the device. */
export const THEMES = ["system", "light", "dark"];

/** @returns {string} */
export function theme() {
  const chosen = kept("theme");
  return chosen && THEMES.includes(chosen) ? chosen : "system";
}

/** @param {string} chosen */
export function paint(chosen) {
  keep("theme", chosen);
  if (chosen === "system") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.setAttribute("data-theme", chosen);
}

/** @returns {boolean} Whether the system asks for no motion. */
export function still() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
