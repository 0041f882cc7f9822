/**
 * Diamonds: showrooms and vaults, the trick, and the own hand by suits.
 * @module
 */

import { gem } from "../art/gems.js";
import { icon } from "../art/icons.js";
import { area, figure, t, times } from "../board/scene.js";
import { others, plate, plates } from "../board/seats.js";
import { el } from "../core/dom.js";

const SUITS = ["diamonds", "hearts", "spades", "clubs"];
const ENUM = SUITS.map((suit) => `DIAMONDS_SUIT_${suit.toUpperCase()}`);

/** @param {any} card */
const suitOf = (card) => SUITS[ENUM.indexOf(card.suit)];
/** @param {any} card */
const tokenOf = (card) => `card:${suitOf(card)}:${card.rank}`;
/** @param {any} card */
const words = (card) => t("diamonds.card", { suit: t(`diamonds.${suitOf(card)}`), rank: card.rank });
/** @param {any} a @param {any} b */
const bySuit = (a, b) => ENUM.indexOf(a.suit) - ENUM.indexOf(b.suit) || a.rank - b.rank;

/** @param {any} card @returns {Node[]} */
function face(card) {
  return [el("span", { class: "rank" }, card.rank), icon(suitOf(card)), el("span", { class: "pips", "aria-hidden": "true" }, icon(suitOf(card)))];
}

/** @param {any} view @param {number} seat @returns {number} Index of the seat's crystals: its own or its team's. */
function owner(view, seat) {
  return view.options?.teams ? seat % (view.seats / 2) : seat;
}

/** @param {import("../board/scene.js").Scene} scene @param {number} seat @param {string} kind */
function crystals(scene, seat, kind) {
  const { view } = scene;
  const hidden = kind === "vault" && view.options?.exposeVaults === false && owner(view, seat) !== owner(view, scene.seat);
  const held = view[`${kind}s`]?.[owner(view, seat)] ?? 0;
  const label = t(`diamonds.${kind}`);
  return el(
    "div",
    { class: `crystals ${kind}`, role: "img", "aria-label": `${label}: ${hidden ? "?" : held}` },
    icon(kind),
    el("span", { class: "crystal-word" }, label),
    el("span", { class: "crystal-count" }, hidden ? "?" : held),
    el("span", { class: "crystal-heap" }, hidden ? null : [times(Math.floor(held / 5), () => gem("hexagon", { class: "gem crystal large" })), times(held % 5, () => gem("hexagon", { class: "gem crystal" }))]),
  );
}

/** @param {import("../board/scene.js").Scene} scene @param {number} seat */
function captured(scene, seat) {
  const { view } = scene;
  const counts = view.captured?.[owner(view, seat)];
  if (!counts) return null;
  return el(
    "div",
    { class: "captured", title: t("diamonds.captured") },
    el("span", { class: "unseen" }, t("diamonds.captured")),
    SUITS.map((suit) => figure(icon(suit), counts[suit] ?? 0, t(`diamonds.${suit}`), `suit ${suit}`)),
  );
}

/** @param {import("../board/scene.js").Scene} scene @param {number} seat */
function marks(scene, seat) {
  const { view } = scene;
  const tricks = (view.tricks ?? []).filter((trick) => full(view, trick) && winnerOf(view, trick) === seat).length;
  return el(
    "div",
    { class: "marks" },
    (view.dealer ?? 0) === seat ? el("span", { class: "mark" }, icon("dealer"), t("diamonds.dealer")) : null,
    view.options?.thiefToken && (view.thief ?? 0) === seat ? el("span", { class: "mark" }, icon("thief"), t("diamonds.thief")) : null,
    view.options?.teams ? el("span", { class: "mark" }, t("diamonds.team", { team: owner(view, seat) + 1 })) : null,
    el("span", { class: "mark" }, t("diamonds.tricks", { n: tricks })),
  );
}

/** @param {any} view @param {any} trick */
function full(view, trick) {
  return (trick.cards ?? []).length === (view.seats === 2 ? 4 : view.seats);
}

/** @param {any} view @param {any} trick @returns {number} Who has the highest card of the led suit so far. */
function winnerOf(view, trick) {
  const led = trick.cards[0].suit;
  const ranks = trick.cards.map((card) => (card.suit === led ? card.rank : 0));
  return ((trick.leader ?? 0) + ranks.indexOf(Math.max(...ranks))) % view.seats;
}

/** @param {import("../board/scene.js").Scene} scene */
function stage(scene) {
  const { view } = scene;
  const tricks = view.tricks ?? [];
  const trick = tricks.at(-1);
  const over = trick && full(view, trick);
  return area(
    trick ? t(over ? "diamonds.lastTrick" : "diamonds.trick") : t("diamonds.noTrick"),
    { class: `trick-stage ${over ? "done" : ""}` },
    trick ? played(scene, trick) : passing(scene),
    legend(),
  );
}

/** @param {import("../board/scene.js").Scene} scene @param {any} trick */
function played(scene, trick) {
  const { view } = scene;
  const winner = winnerOf(view, trick);
  const high = trick.cards.reduce((best, card) => (card.suit === best.suit && card.rank > best.rank ? card : best));
  return el(
    "ol",
    { class: "trick" },
    trick.cards.map((card, at) => {
      const seat = ((trick.leader ?? 0) + at) % view.seats;
      const wins = card === high && seat === winner;
      return el(
        "li",
        { class: wins ? "wins" : "" },
        el("div", { class: `card face ${suitOf(card)} ${card.suit === trick.cards[0].suit ? "" : "off"}`, "data-key": tokenOf(card), role: "img", "aria-label": words(card) + (wins ? `, ${t("diamonds.highest")}` : "") }, face(card)),
        el("span", { class: "trick-name" }, scene.name(seat)),
      );
    }),
  );
}

/** @param {import("../board/scene.js").Scene} scene */
function passing({ view }) {
  const count = view.passCount;
  return el("p", { class: "quiet" }, count ? t("diamonds.passing", { n: count }) : t("diamonds.counting"));
}

/** What the suits do, at a glance. */
function legend() {
  return el(
    "ul",
    { class: "legend" },
    SUITS.map((suit) => el("li", { class: `suit ${suit}` }, icon(suit), el("span", {}, t(`diamonds.does.${suit}`)))),
  );
}

/** @param {import("../board/scene.js").Scene} scene */
function hand(scene) {
  const { view } = scene;
  const cards = [...(view.hand ?? [])].sort(bySuit);
  const received = new Set((view.received ?? []).map(tokenOf));
  return area(
    t("hand.own", { n: cards.length }),
    { class: "hand" },
    el(
      "div",
      { class: "fan" },
      cards.map((card) => {
        const fresh = received.has(tokenOf(card)) && !(view.tricks ?? []).length;
        return scene.spot(tokenOf(card), words(card) + (fresh ? `, ${t("diamonds.received")}` : ""), { class: `card face ${suitOf(card)} ${fresh ? "fresh" : ""}`, "data-key": tokenOf(card) }, face(card));
      }),
    ),
  );
}

/** @param {import("../board/scene.js").Scene} scene @param {number} seat */
function seatPlate(scene, seat) {
  const spot = scene.spot(`from:${owner(scene.view, seat)}`, t("diamonds.steal", { name: scene.name(seat) }), { class: "strip" }, crystals(scene, seat, "showroom"));
  const showroom = spot.tagName === "BUTTON" ? spot : crystals(scene, seat, "showroom");
  return plate(scene, seat, showroom, crystals(scene, seat, "vault"), captured(scene, seat), marks(scene, seat));
}

const PROMPTS = {
  DIAMONDS_PHASE_PASS_COUNT: "diamonds.promptCount",
  DIAMONDS_PHASE_PASS: "diamonds.promptPass",
  DIAMONDS_PHASE_PLAY: "diamonds.promptPlay",
  DIAMONDS_PHASE_VICTIM: "diamonds.promptVictim",
  DIAMONDS_PHASE_BONUS: "diamonds.promptBonus",
};

/** @param {any} move @returns {import("../core/choice.js").Parts} */
function parts({ diamonds: move }) {
  if (move.play) return [[tokenOf(move.play)]];
  if (move.pass) return [move.pass.cards.map(tokenOf)];
  if (move.passCount) return [[`count:${move.passCount}`]];
  if (move.bonus) return [[`bonus:${move.bonus}`]];
  return [[`from:${move.victim ?? 0}`]];
}

/** @param {string} token @returns {string} */
function label(token) {
  const [kind, what] = token.split(":");
  return kind === "count" ? t("diamonds.count", { n: Number(what) }) : t(`diamonds.${SUITS[ENUM.indexOf(what)]}`);
}

/** @type {import("./index.js").Game} */
export const game = {
  hue: "diamonds",
  round: (view) => t("round", { round: view.round ?? 1 }),

  draw: (scene) => [
    plates(others(scene).map((seat) => seatPlate(scene, seat))),
    stage(scene),
    seatPlate(scene, scene.seat),
    hand(scene),
  ],

  steps: (view) => ({
    prompt: t(PROMPTS[view.phase], { n: view.passCount ?? 0 }),
    confirm: view.phase === "DIAMONDS_PHASE_PASS",
    parts,
    label,
  }),

  belief: (card) => el("span", { class: `chip suit ${suitOf(card)}` }, icon(suitOf(card)), card.rank),

  sheet: ({ view, table }) =>
    table.seats.map((_, seat) => {
      const [vault, showroom] = [view.vaults?.[owner(view, seat)] ?? 0, view.showrooms?.[owner(view, seat)] ?? 0];
      return [
        [t("diamonds.sheetVault", { n: vault }), 2 * vault],
        [t("diamonds.sheetShowroom", { n: showroom }), showroom],
      ];
    }),
};
