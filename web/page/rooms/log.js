/**
 * The move log in words; what is new is read out.
 * @module
 */

import { named } from "../board/seats.js";
import { el } from "../core/dom.js";
import { sentence, t } from "../core/language.js";

/** @returns {import("./panels.js").Panel} */
export function logPanel() {
  const list = el("ol", { class: "log" });
  const live = el("p", { class: "unseen", "aria-live": "polite", role: "log" });
  const element = el("div", {}, list, live);
  return { id: "log", title: t("panel.log"), element, update: (table) => update(list, live, table) };
}

/** @param {HTMLElement} list @param {HTMLElement} live @param {any} table */
function update(list, live, table) {
  const entries = table.log.filter((entry) => entry.words.length);
  const known = list.children.length;
  const same = known <= entries.length && [...list.children].every((item, at) => item.dataset.ply === String(entries[at].ply));
  if (!same) list.replaceChildren();
  const fresh = entries.slice(list.children.length);
  list.append(...fresh.map((entry) => item(entry, table)));
  if (same && known && fresh.length) live.textContent = fresh.flatMap((entry) => told(entry, table)).join(" ");
  if (fresh.length) list.parentElement.scrollTop = list.scrollHeight;
}

/** @param {any} entry @param {any} table @returns {string[]} */
function told(entry, table) {
  return entry.words.map((words) => sentence(named(words, table)));
}

/** @param {any} entry @param {any} table */
function item(entry, table) {
  const mine = entry.seat !== null && entry.seat === table.seat;
  return el("li", { class: mine ? "mine" : "", "data-ply": entry.ply }, told(entry, table).map((words) => el("p", {}, words)));
}
