/**
 * Watching: the pace of a table of bots, and looking back through moves.
 * @module
 */

import { post } from "../core/api.js";
import { button, el } from "../core/dom.js";
import { t } from "../core/language.js";
import { fail } from "../core/toasts.js";

const SPEEDS = [0, 1, 2, 4, 16];

/**
 * The pace of a table of bots alone.
 * @param {any} table @param {(table: any) => void} told
 */
export function pace(table, told) {
  if (table.speed === null || table.speed === undefined || table.status.over) return null;
  const set = (body) => post(`tables/${table.id}/pace`, body).then(told, fail);
  return el(
    "div",
    { class: "pace", role: "group", "aria-label": t("watch.pace") },
    SPEEDS.map((speed) => button(t(`watch.speed.${speed}`), () => set({ speed }), { "aria-pressed": String(speed === table.speed), "data-focus": `speed-${speed}` })),
    table.speed === 0 ? button(t("watch.step"), () => set({ step: true }), { "data-focus": "step" }) : null,
  );
}

/**
 * A slider over the moves, of a game that is over or that bots play alone.
 * @param {any} table @param {(ply: number, seat?: number) => void} look
 */
export function rewind(table, look) {
  if (!table.status.over && (table.speed === null || table.speed === undefined) && table.ply === table.plies) return null;
  const slide = (event) => look(Number(event.target.value));
  return el(
    "div",
    { class: "rewind" },
    button("‹", () => look(table.ply - 1), { "aria-label": t("watch.back"), "data-focus": "back", disabled: table.ply <= 0 }),
    el("input", { type: "range", min: 0, max: table.plies, value: table.ply, "aria-label": t("watch.ply"), "data-focus": "ply", on: { input: slide } }),
    button("›", () => look(table.ply + 1), { "aria-label": t("watch.forth"), "data-focus": "forth", disabled: table.ply >= table.plies }),
    el("output", {}, t("watch.at", { ply: table.ply, plies: table.plies })),
    el("label", { class: "as-seat" }, t("watch.from"), el("select", { "data-focus": "as-seat", on: { change: (event) => look(table.ply, Number(event.target.value)) } }, table.seats.map((_, seat) => el("option", { value: seat, selected: seat === table.seat }, seatOption(table, seat))))),
  );
}

/** @param {any} table @param {number} seat */
function seatOption(table, seat) {
  const { kind, name } = table.seats[seat];
  return kind === "bot" ? t(`seat.bots.${seat}`) : name || t("seat.nobody", { seat: seat + 1 });
}
