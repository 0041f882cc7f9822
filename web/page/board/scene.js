/**
 * What a game's module draws with: the view, the words, and spots that can be chosen.
 * @module
 */

import { el } from "../core/dom.js";
import { t } from "../core/language.js";
import { seatName } from "./seats.js";

/**
 * @typedef {object} Scene
 * @property {any} view The seat's view, without the envelope of the game.
 * @property {any} table The host's Table.
 * @property {number} seat Whose view it is.
 * @property {(seat: number) => string} name
 * @property {(token: string, label: string, attributes?: object, ...children: any[]) => HTMLElement} spot
 */

/**
 * @param {any} table The host's Table.
 * @param {Set<string>} tokens Whatever any legal move has to do with.
 * @returns {Scene}
 */
export function sceneOf(table, tokens) {
  return {
    view: table.view[table.game] ?? Object.values(table.view)[0],
    table,
    seat: table.seat ?? 0,
    name: (seat) => seatName(table, seat),
    spot: (token, label, attributes = {}, ...children) => spot(tokens.has(token), token, label, attributes, children),
  };
}

/**
 * Something on the board: a button while a legal move has to do with it, else a picture.
 * @param {boolean} live
 * @param {string} token
 * @param {string} label For those who don't see it.
 * @param {Record<string, any>} attributes
 * @param {any[]} children
 */
function spot(live, token, label, attributes, children) {
  const shown = { ...attributes, class: `spot ${attributes.class ?? ""}`, "aria-label": label };
  if (live) return el("button", { ...shown, type: "button", "data-token": token, "aria-pressed": "false" }, children);
  return el("div", { ...shown, role: "img" }, children);
}

/**
 * A named part of the board.
 * @param {string} title @param {Record<string, any>} attributes @param {...any} children
 */
export function area(title, attributes, ...children) {
  const shown = { ...attributes, class: `area ${attributes.class ?? ""}`, "aria-label": title };
  return el("section", shown, el("h2", { class: "area-title" }, title), children);
}

/**
 * A figure with a sign.
 * @param {Node} sign @param {string | number} value @param {string} label @param {string} [kind]
 */
export function figure(sign, value, label, kind = "") {
  const shown = { class: `figure ${kind}`, title: label };
  return el("span", shown, sign, el("span", { class: "figure-value" }, value), el("span", { class: "unseen" }, ` ${label}`));
}

/** @param {number} count @param {() => Node} draw @returns {Node[]} */
export function times(count, draw) {
  return Array.from({ length: count }, draw);
}

/** @param {any[]} list @param {any} item */
export function tally(list, item) {
  return list.filter((each) => each === item).length;
}

export { t };
