/**
 * Watching: the pace of a table of bots, and looking back through moves.
 * @module
 */

import { seatName } from "../board/seats.js";
import { post } from "../core/api.js";
import { button, el } from "../core/dom.js";
import { t } from "../core/language.js";
import { fail } from "../core/toasts.js";

const SPEEDS = [0, 1, 2, 4, 16];

/** @typedef {{element: HTMLElement, update: (table: any) => void}} Control It stays, so that no press is lost while tables come in. */

/** @param {any} table @returns {boolean} Whether bots alone play there. */
const bots = (table) => table.speed !== null && table.speed !== undefined;

/**
 * The pace of a table of bots alone.
 * @param {string} id @param {(table: any) => void} told
 * @returns {Control}
 */
export function pace(id, told) {
  const set = (body) => post(`tables/${id}/pace`, body).then(told, fail);
  const speeds = SPEEDS.map((speed) => button(t(`watch.speed.${speed}`), () => set({ speed }), { "data-focus": `speed-${speed}` }));
  const step = button(t("watch.step"), () => set({ step: true }), { "data-focus": "step" });
  const element = el("div", { class: "pace", role: "group", "aria-label": t("watch.pace") }, speeds, step);
  const update = (table) => {
    element.hidden = !bots(table) || Boolean(table.status.over);
    speeds.forEach((each, at) => each.setAttribute("aria-pressed", String(SPEEDS[at] === table.speed)));
    step.hidden = table.speed !== 0;
  };
  return { element, update };
}

/**
 * A slider over the moves, of a game that is over or that bots play alone.
 * @param {(ply: number, seat?: number) => void} look
 * @returns {Control}
 */
export function rewind(look) {
  let shown = { ply: 0, plies: 0 };
  const step = (words, by, name) => button(words, () => look(shown.ply + by), { "aria-label": t(`watch.${name}`), "data-focus": name });
  const [back, forth] = [step("‹", -1, "back"), step("›", 1, "forth")];
  const slider = el("input", { type: "range", min: 0, "aria-label": t("watch.ply"), "data-focus": "ply", on: { input: () => look(Number(slider.value)) } });
  const seat = el("select", { "data-focus": "as-seat", on: { change: () => look(shown.ply, Number(seat.value)) } });
  const told = el("output");
  const element = el("div", { class: "rewind" }, back, slider, forth, told, el("label", { class: "as-seat" }, t("watch.from"), seat));
  const update = (table) => {
    shown = table;
    element.hidden = !table.status.over && !bots(table) && table.ply === table.plies;
    [slider.max, slider.value] = [String(table.plies), String(table.ply)];
    [back.disabled, forth.disabled] = [table.ply <= 0, table.ply >= table.plies];
    told.textContent = t("watch.at", { ply: table.ply, plies: table.plies });
    if (seat.length !== table.seats.length) seat.replaceChildren(...table.seats.map((_, at) => el("option", { value: at }, seatName(table, at))));
    seat.value = String(table.seat ?? 0);
  };
  return { element, update };
}
