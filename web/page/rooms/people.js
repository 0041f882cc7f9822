/**
 * The people's panel: who sits where, invitations, and getting up.
 * @module
 */

import { icon } from "../art/icons.js";
import { seatName } from "../board/seats.js";
import { post, remove } from "../core/api.js";
import { button, el, refill } from "../core/dom.js";
import { t } from "../core/language.js";
import { go, invitationLink } from "../core/routes.js";
import { fail, tell } from "../core/toasts.js";

const STAND_IN = 5;

/** @param {string} id @param {(table: any) => void} told @returns {import("./panels.js").Panel} */
export function peoplePanel(id, told) {
  const element = el("div", { class: "people" });
  const ask = (path, body) => post(`tables/${id}/${path}`, body).then(told, fail);
  return { id: "people", title: t("panel.people"), element, update: (table) => refill(element, people(table, ask), doors(table, ask)) };
}

/** @param {any} table @param {(path: string, body?: any) => void} ask */
function people(table, ask) {
  return el("ul", { class: "people-list" }, table.seats.map((seat, at) => person(table, seat, at, ask)));
}

/** @param {any} table @param {any} seat @param {number} at @param {(path: string, body?: any) => void} ask */
function person(table, seat, at, ask) {
  const change = table.owner && !table.status.over;
  return el(
    "li",
    {},
    el("span", { class: "medal", "aria-hidden": "true" }, icon(seat.kind === "bot" || seat.standIn ? "bot" : seat.kind === "open" ? "chair" : "person")),
    el("span", { class: "person-name" }, seatName(table, at), el("small", {}, detail(seat))),
    el(
      "span",
      { class: "person-doors" },
      seat.invitation ? button(t(seat.mine ? "people.move" : "people.invite"), () => copy(table.id, seat.invitation), { class: "small", "data-focus": `invite-${at}` }) : null,
      change && seat.kind === "open" ? button(t("people.giveBot"), () => ask(`seats/${at}`, { kind: "bot", level: STAND_IN }), { class: "small", "data-focus": `bot-${at}` }) : null,
      change && seat.kind === "bot" ? button(t("people.open"), () => ask(`seats/${at}`, { kind: "open" }), { class: "small", "data-focus": `open-${at}` }) : null,
    ),
  );
}

/** @param {any} seat */
function detail(seat) {
  if (seat.kind === "bot") return t("seat.level", { level: seat.level });
  if (seat.standIn) return t("seat.standIn", { level: seat.standIn });
  if (seat.kind === "open") return t("people.waiting");
  return seat.away ? t("seat.away") : seat.mine ? t("seat.you") : "";
}

/** @param {string} id @param {string} invitation */
async function copy(id, invitation) {
  const link = invitationLink(id, invitation);
  try {
    await navigator.clipboard.writeText(link);
    tell(t("people.copied"));
  } catch {
    prompt(t("people.copy"), link);
  }
}

/** @param {any} table @param {(path: string, body?: any) => void} ask */
function doors(table, ask) {
  const mine = table.seats.find((seat) => seat.mine);
  const end = () => remove(`tables/${table.id}`).then(() => go("#/"), fail);
  return el(
    "div",
    { class: "dock-buttons" },
    mine && !table.status.over && !mine.standIn ? button(t("people.leave"), () => ask("leave"), { "data-focus": "leave" }) : null,
    mine?.standIn ? button(t("people.return"), () => ask("return"), { class: "primary", "data-focus": "return" }) : null,
    table.owner ? button(t("people.end"), end, { class: "danger", "data-focus": "end" }) : null,
  );
}
