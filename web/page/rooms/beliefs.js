/**
 * What the bot knows: where its search holds which hidden card possible, over sampled worlds.
 * @module
 */

import { named } from "../board/seats.js";
import { get } from "../core/api.js";
import { button, el, refill } from "../core/dom.js";
import { number, percent, t } from "../core/language.js";
import { fail } from "../core/toasts.js";

/** @param {string} id The table's. @param {import("../games/index.js").Game} game @returns {import("./panels.js").Panel} */
export function beliefsPanel(id, game) {
  const element = el("div", { class: "beliefs" });
  let table = null;
  let shown = null;
  let busy = false;
  let again = false;
  const load = async () => {
    again = busy;
    if (busy) return;
    busy = true;
    shown = (await get(`tables/${id}/beliefs`, at(table)).catch(fail)) ?? shown;
    busy = false;
    draw();
    if (again) load();
  };
  const draw = () => refill(element, el("p", { class: "quiet" }, t("beliefs.about")), shown ? heat(shown, table, game) : button(t("beliefs.ask"), load, { class: "primary", "data-focus": "beliefs" }));
  const update = (told) => {
    const old = table;
    table = told;
    const changed = !old || old.ply !== told.ply || old.seat !== told.seat;
    if (changed && !element.hidden && shown) load();
    else if (changed) shown = null;
    draw();
  };
  const fits = (told) => told.hints && told.seat !== null && told.game !== "diamonds_club";
  return { id: "beliefs", title: t("panel.beliefs"), element, update, fits, opened: load };
}

/** @param {any} table @returns {Record<string, number>} */
function at(table) {
  const own = table.seats.some((seat) => seat.mine) && table.ply === table.plies;
  return own ? {} : { ply: table.ply, seat: table.seat };
}

/** @param {any} found SampleWorldsResponse @param {any} table @param {any} game */
function heat(found, table, game) {
  const places = found.places ?? [];
  if (!places.length) return el("p", {}, t("beliefs.nothing"));
  const cards = new Map();
  for (const place of places) for (const card of place.cards ?? []) cards.set(card.words, card);
  const order = [...cards.keys()].sort((a, b) => rank(places, a) - rank(places, b));
  return [
    el("p", { class: "quiet" }, t("beliefs.samples", { samples: number(found.samples ?? 0) })),
    el(
      "div",
      { class: "heat-scroll", tabindex: "0", role: "region", "aria-label": t("panel.beliefs") },
      el(
        "table",
        { class: "heat" },
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, t("beliefs.card")), places.map((place) => el("th", { scope: "col" }, named(place.words, table), el("small", {}, ` ${place.size ?? 0}`))))),
        el("tbody", {}, order.map((words) => row(words, cards.get(words), places, game))),
      ),
    ),
  ];
}

/** @param {any[]} places @param {string} words @returns {number} Where the game's own order has the card. */
function rank(places, words) {
  const found = places.map((place) => (place.cards ?? []).findIndex((card) => card.words === words)).filter((each) => each >= 0);
  return Math.max(...found);
}

/** @param {string} words @param {any} card @param {any[]} places @param {any} game */
function row(words, card, places, game) {
  const inner = Object.values(card.card ?? {})[0];
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, inner && game.belief ? [el("span", { class: "unseen" }, words), el("span", { "aria-hidden": "true" }, game.belief(inner))] : words),
    places.map((place) => cell((place.cards ?? []).find((each) => each.words === words)?.probability ?? 0)),
  );
}

/** @param {number} share */
function cell(share) {
  const sure = share === 1 ? "sure" : share >= 0.5 ? "likely" : "";
  return el("td", { class: sure, style: { "--share": share } }, share ? percent(share) : el("span", { class: "unseen" }, percent(0)));
}
