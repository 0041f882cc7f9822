/**
 * Who sits where: names, and the plate of a seat with what it has.
 * @module
 */

import { icon } from "../art/icons.js";
import { el } from "../core/dom.js";
import { number, t } from "../core/language.js";

/** @param {any} table @param {number} seat @returns {string} */
export function seatName(table, seat) {
  const found = table.seats[seat] ?? {};
  if (found.kind === "bot") return t(`seat.bots.${seat}`);
  if (found.kind === "open") return t("seat.open", { seat: seat + 1 });
  return found.name || t("seat.nobody", { seat: seat + 1 });
}

/** @param {any} seat @returns {string} Sign of who sits there. */
function sign(seat) {
  if (seat.kind === "bot" || seat.standIn) return "bot";
  return seat.kind === "open" ? "chair" : "person";
}

/** @param {any} table @param {number} seat @returns {string} What is unusual about a seat. */
function note(table, seat) {
  const found = table.seats[seat];
  if (found.kind === "bot") return t("seat.level", { level: found.level });
  if (found.standIn) return t("seat.standIn", { level: found.standIn });
  if (found.away) return t("seat.away");
  return found.mine ? t("seat.you") : "";
}

/**
 * The plate of a seat.
 * @param {import("./scene.js").Scene} scene
 * @param {number} seat
 * @param {...any} children What the seat has.
 */
export function plate(scene, seat, ...children) {
  const { table } = scene;
  const turn = (table.status.seatsToMove ?? []).includes(seat);
  const result = table.status.results?.[seat];
  const words = note(table, seat);
  const kind = `plate ${turn ? "to-move" : ""} ${seat === table.seat ? "own" : ""}`;
  return el(
    "section",
    { class: kind, "data-seat": seat, "aria-label": scene.name(seat) + (turn ? `, ${t("seat.toMove")}` : "") },
    el(
      "header",
      { class: "plate-head" },
      el("span", { class: "medal", "aria-hidden": "true" }, icon(sign(table.seats[seat]))),
      el("span", { class: "plate-name" }, scene.name(seat), words ? el("small", {}, words) : null),
      result?.winShare ? icon("crown", { class: "icon winner" }) : null,
      result ? el("span", { class: "plate-score", title: t("seat.score") }, number(result.score ?? 0)) : null,
    ),
    el("div", { class: "plate-body" }, children),
  );
}

/** Plates side by side, which scroll where there is no room. @param {Node[]} children */
export function plates(children) {
  return el("div", { class: "plates", role: "group", tabindex: "0", "aria-label": t("seat.others"), "data-focus": "plates" }, children);
}

/** @param {import("./scene.js").Scene} scene @returns {number[]} Seats from the viewer's left on. */
export function others(scene) {
  const count = scene.table.seats.length;
  return Array.from({ length: count - 1 }, (_, at) => (scene.seat + 1 + at) % count);
}

/**
 * Words of the host with the names of those who sit there in place of the seats' numbers.
 * @param {string} words @param {any} table @returns {string}
 */
export function named(words, table) {
  const told = (whole, seat) => (table.seats[seat] ? seatName(table, Number(seat)) : whole);
  return words.replace(/\bseat (\d+)/gi, told).replace(/(\d+) 號座位/g, told);
}
