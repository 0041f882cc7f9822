/**
 * DAO: the deck, the row with its limit of 12, and what everybody has taken.
 * @module
 */

import { icon } from "../art/icons.js";
import { area, t } from "../board/scene.js";
import { others, plate, plates } from "../board/seats.js";
import { el } from "../core/dom.js";

const ELEMENTS = ["metal", "fire", "earth", "wood", "water"];
const LIMIT = 12;

/** @param {any} card @returns {string} */
function elementOf(card) {
  return card.element.replace("DAO_ELEMENT_", "").toLowerCase();
}

/** @param {any} card @returns {string} */
function words(card) {
  return t("dao.card", { element: t(`dao.${elementOf(card)}`), value: card.value ?? 0 });
}

/** @param {any} card @returns {Node[]} The face of a card. */
function face(card) {
  return [el("span", { class: "rank" }, card.value ?? 0), icon(elementOf(card)), el("span", { class: "card-word" }, t(`dao.${elementOf(card)}`))];
}

/**
 * Points of cards: the best element's values, less one for every other card.
 * @param {any[]} cards
 * @returns {{element: string, values: number, same: number, others: number, score: number}}
 */
export function best(cards) {
  const found = ELEMENTS.map((element) => {
    const same = cards.filter((card) => elementOf(card) === element);
    const values = same.reduce((sum, card) => sum + (card.value ?? 0), 0);
    const left = cards.length - same.length;
    return { element, values, same: same.length, others: left, score: values - left };
  });
  return found.reduce((high, each) => (each.score > high.score ? each : high));
}

/** @param {any[]} cards What a seat has taken, a column an element. */
function pile(cards) {
  const top = cards.length ? best(cards).element : "";
  return el(
    "ul",
    { class: "dao-pile", "aria-label": t("dao.taken", { n: cards.length }) },
    ELEMENTS.map((element) => {
      const same = cards.filter((card) => elementOf(card) === element).map((card) => card.value ?? 0);
      const label = t("dao.column", { element: t(`dao.${element}`), values: same.join(", ") || "–" });
      return el(
        "li",
        { class: `dao-column ${element} ${element === top ? "best" : ""} ${same.length ? "" : "none"}`, "aria-label": label },
        icon(element),
        el("span", { class: "dao-values", "aria-hidden": "true" }, same.sort().map((value) => el("b", {}, value))),
      );
    }),
  );
}

/** @param {number} total The limit as a rule of twelve marks. */
function meter(total) {
  const over = total > LIMIT;
  return el(
    "div",
    { class: `meter ${over ? "over" : ""}`, role: "meter", "aria-label": t("dao.total"), "aria-valuemin": 0, "aria-valuemax": LIMIT, "aria-valuenow": Math.min(total, LIMIT), "aria-valuetext": t("dao.of", { total, limit: LIMIT }) },
    el("span", { class: "meter-bar" }, Array.from({ length: LIMIT }, (_, at) => el("i", { class: at < total ? "on" : "" }))),
    el("span", { class: "meter-text" }, t("dao.of", { total, limit: LIMIT })),
  );
}

/** @param {import("../board/scene.js").Scene} scene */
function row(scene) {
  const cards = scene.view.row ?? [];
  const total = cards.reduce((sum, card) => sum + (card.value ?? 0), 0);
  return area(
    t("dao.row"),
    { class: "dao-stage" },
    el(
      "div",
      { class: "dao-row" },
      scene.spot("reveal", t("dao.deck", { n: scene.view.deckSize ?? 0 }), { class: "card back" }, icon("any"), el("span", { class: "count" }, scene.view.deckSize ?? 0)),
      el("span", { class: "dao-arrow", "aria-hidden": "true" }),
      cards.map((card, at) =>
        scene.spot(at ? "" : "take", words(card), { class: `card face ${elementOf(card)} ${at ? "" : "front"}`, "data-key": `${elementOf(card)}${card.value ?? 0}#${cards.slice(0, at).filter((each) => words(each) === words(card)).length}` }, face(card)),
      ),
      cards.length ? null : el("p", { class: "quiet" }, t("dao.emptyRow")),
    ),
    meter(total),
  );
}

/** @param {import("../board/scene.js").Scene} scene @param {number} seat */
function seatPlate(scene, seat) {
  return plate(scene, seat, pile(scene.view.piles?.[seat]?.cards ?? []));
}

/** @type {import("./index.js").Game} */
export const game = {
  hue: "dao",

  round: (view) => (view.options?.twoRoundSplit === false || view.seats > 2 && !view.options?.twoRoundSplit ? "" : t("dao.half", { round: view.round ?? 1 })),

  draw(scene) {
    return [
      plates(others(scene).map((seat) => seatPlate(scene, seat))),
      row(scene),
      seatPlate(scene, scene.seat),
    ];
  },

  steps: () => ({
    prompt: t("dao.prompt"),
    parts: ({ dao }) => [[dao.action === "DAO_ACTION_TAKE" ? "take" : "reveal"]],
  }),

  belief(card) {
    return el("span", { class: `chip ${elementOf(card)}` }, icon(elementOf(card)), card.value ?? 0);
  },

  sheet({ view, table }) {
    return table.seats.map((_, seat) => {
      const first = view.firstRound?.[seat];
      const cards = view.piles?.[seat]?.cards ?? [];
      const lines = first ? [[t("dao.sheetFirst", { cards: first.cards ?? 0 }), first.score ?? 0]] : [];
      if (!cards.length) return [...lines, [t("dao.sheetNone"), 0]];
      const { element, values, same, others: left } = best(cards);
      return [...lines, [t("dao.sheetBest", { n: same, element: t(`dao.${element}`) }), values], [t("dao.sheetOthers", { n: left }), -left]];
    });
  },
};

