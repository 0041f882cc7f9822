/**
 * Diam's: the market by kinds, hands, safes, and plays of several steps.
 * @module
 */

import { gem } from "../art/gems.js";
import { icon } from "../art/icons.js";
import { area, figure, t } from "../board/scene.js";
import { others, plate, plates } from "../board/seats.js";
import { el } from "../core/dom.js";

const CUTS = ["round", "square", "trillion", "emerald", "pentagon", "hexagon", "marquise", "octagon", "pear", "star"];
const SPECIALS = ["DIAMS_SPECIAL_DRILL", "DIAMS_SPECIAL_DEPOSIT", "DIAMS_SPECIAL_SHOPLIFTING"];
const SIGNS = ["drill", "deposit", "shoplifting"];
const KINDS = Array.from({ length: 10 }, (_, at) => at + 1);
const SET = 3;

/** @param {any} diamond */
const name = (diamond) => `${diamond.kind}${diamond.pure ? "p" : ""}`;
/** @param {any} diamond */
const words = (diamond) => t(diamond.pure ? "diams.pure" : "diams.ordinary", { kind: diamond.kind });
/** @param {any} a @param {any} b */
const byKind = (a, b) => a.kind - b.kind || Number(b.pure ?? false) - Number(a.pure ?? false);

/** @param {any} diamond @returns {Node[]} */
function face(diamond) {
  return [
    el("span", { class: "rank" }, diamond.kind),
    gem(CUTS[diamond.kind - 1]),
    diamond.pure ? el("span", { class: "pure-mark" }, icon("pure")) : null,
  ].filter(Boolean);
}

/**
 * @param {import("../board/scene.js").Scene} scene
 * @param {string} place "hand", "market" or "safe".
 * @param {any} diamond
 * @param {number} nth Which of the equal ones.
 */
function diamondSpot(scene, place, diamond, nth) {
  return scene.spot(`${place}:${name(diamond)}`, words(diamond), { class: `card face stone kind-${diamond.kind}`, "data-key": `${name(diamond)}#${place === "hand" ? 9 - nth : nth}` }, face(diamond));
}

/** @param {import("../board/scene.js").Scene} scene @param {string} place @param {any[]} diamonds */
function diamondSpots(scene, place, diamonds) {
  const seen = new Map();
  return [...diamonds].sort(byKind).map((diamond) => {
    const nth = seen.get(name(diamond)) ?? 0;
    seen.set(name(diamond), nth + 1);
    return diamondSpot(scene, place, diamond, nth);
  });
}

/** @param {import("../board/scene.js").Scene} scene */
function market(scene) {
  const { view } = scene;
  const diamonds = view.market ?? [];
  const deck = t("diams.pile", { n: view.deckSize ?? 0 });
  return area(
    t("diams.market"),
    { class: "diams-stage" },
    el(
      "div",
      { class: "diams-market" },
      el("div", { class: "diams-pile" }, el("div", { class: "card back", role: "img", "aria-label": deck }, gem("kite"), el("span", { class: "count" }, view.deckSize ?? 0)), el("small", {}, deck)),
      el("div", { class: "market-row" }, diamondSpots(scene, "market", diamonds), diamonds.length ? null : el("p", { class: "quiet" }, t("diams.emptyMarket"))),
    ),
    view.closer === undefined ? null : el("p", { class: "notice" }, t("diams.closing", { name: scene.name(view.closer) })),
    view.step?.placed ? el("p", { class: "notice" }, t("diams.missing", { kind: view.step.placed.kind, n: view.step.missing ?? 0 })) : null,
  );
}

/** @param {any[]} diamonds A safe, a column a kind. */
function safe(diamonds) {
  const kinds = KINDS.filter((kind) => diamonds.some((diamond) => diamond.kind === kind));
  return kinds.map((kind) => {
    const same = diamonds.filter((diamond) => diamond.kind === kind);
    const pure = same.filter((diamond) => diamond.pure).length;
    const label = t("diams.inSafe", { n: same.length, kind, pure });
    return el("span", { class: `safe-kind kind-${kind} ${same.length < SET ? "broken" : ""}`, role: "img", "aria-label": label, title: label }, gem(CUTS[kind - 1]), el("b", {}, kind), el("span", {}, `×${same.length}`), pure ? el("span", { class: "safe-pure" }, icon("pure"), pure) : null);
  });
}

/** @param {import("../board/scene.js").Scene} scene @param {number} seat */
function seatPlate(scene, seat) {
  const { view } = scene;
  const held = view.handSizes?.[seat] ?? 0;
  const own = seat === scene.seat;
  const contents = own ? (view.safe ?? []) : (view.safes?.[seat]?.diamonds ?? []);
  const size = view.safeSizes?.[seat] ?? contents.length;
  const shown = [icon("vault"), el("span", { class: "safe-size" }, t("diams.safe", { n: size })), el("span", { class: "safe-kinds" }, safe(contents))];
  return plate(
    scene,
    seat,
    own ? null : scene.spot(`sale:${seat}`, t("diams.handOf", { name: scene.name(seat), n: held }), { class: "strip" }, figure(icon("hand"), held, t("diams.cards"))),
    scene.spot(own ? "safe" : `drill:${seat}`, own ? t("diams.ownSafe", { n: size }) : t("diams.safeOf", { name: scene.name(seat), n: size }), { class: "strip safe" }, shown),
  );
}

/** @param {import("../board/scene.js").Scene} scene */
function hand(scene) {
  const cards = scene.view.hand ?? [];
  const diamonds = cards.filter((card) => card.diamond).map((card) => card.diamond);
  const specials = cards.filter((card) => card.special).map((card) => SPECIALS.indexOf(card.special));
  return area(
    t("hand.own", { n: cards.length }),
    { class: "hand" },
    el("div", { class: "fan" }, diamondSpots(scene, "hand", diamonds), specials.sort().map((special) => specialSpot(scene, special))),
  );
}

/** @param {import("../board/scene.js").Scene} scene @param {number} special */
function specialSpot(scene, special) {
  const label = t(`diams.special.${SIGNS[special]}`);
  return scene.spot(`special:${special}`, label, { class: "card face special", "data-key": `special${special}` }, el("span", { class: "rank" }, `X${special + 1}`), icon(SIGNS[special]), el("span", { class: "card-word" }, label));
}

/** @param {any} card @returns {string} Token of a card in the own hand. */
function handToken(card) {
  return card.diamond ? `hand:${name(card.diamond)}` : `special:${SPECIALS.indexOf(card.special)}`;
}

/** @type {Record<string, (move: any) => import("../core/choice.js").Parts>} */
const PARTS = {
  draw: (move) => [[move === "DIAMS_DRAW_HAND" ? "draw:hand" : "draw:market"]],
  visit: (move) => [[`hand:${name(move.placed)}`], [move.mode]],
  deposit: (move) => [move.diamonds.map((diamond) => `hand:${name(diamond)}`), ["safe"]],
  sale: (move) => [[`special:${SPECIALS.indexOf(move.special)}`], [`sale:${move.opponent ?? 0}`]],
  drill: (move) => [["special:0"], [`drill:${move ?? 0}`]],
  specialDeposit: (move) => [["special:1"], move.diamonds.map((diamond) => `hand:${name(diamond)}`), ["safe"]],
  shoplift: (move) => [["special:2"], [`market:${name(move)}`]],
  noPlay: () => [["idle"]],
  take: (move) => [[`market:${name(move)}`]],
  offer: (move) => [[`hand:${name(move)}`]],
  name: (move) => [[`name:${name(move)}`]],
  giveUp: (move) => [[handToken(move)]],
};

/** @param {any} move @returns {import("../core/choice.js").Parts} */
function parts({ diams }) {
  const [kind] = Object.keys(diams);
  return PARTS[kind](diams[kind]);
}

/** @param {string} token @returns {string} */
function label(token) {
  const [kind, what] = token.split(":");
  if (kind === "idle") return "";
  if (kind === "name") return words({ kind: parseInt(what, 10), pure: what.endsWith("p") });
  return t(`diams.act.${kind === "draw" ? `draw_${what}` : kind.replace("DIAMS_VISIT_MODE_", "").toLowerCase()}`);
}

/** @param {any} view */
const quick = (view) => view.options?.rounds === "DIAMS_ROUNDS_QUICK";

/**
 * Chips of a round: 4 for the first, one less for every rank below.
 * @param {number[]} points @param {number} seat @param {boolean} worst Whether who ties gets the worst rank's.
 * @returns {number}
 */
export function chips(points, seat, worst) {
  const above = points.filter((each) => each > points[seat]).length;
  const tied = points.filter((each) => each === points[seat]).length;
  return 4 - above - (worst ? tied - 1 : 0);
}

/** @param {any} view @param {number} seat @returns {[string, number][]} */
function rounds(view, seat) {
  const worst = view.options?.chipTies === "DIAMS_CHIP_TIES_WORST_RANK";
  return (view.finishedRounds ?? []).map(({ points = [] }, at) => {
    const words = t("diams.sheetRound", { round: at + 1, n: points[seat] ?? 0 });
    return [words, quick(view) ? (points[seat] ?? 0) : chips(points, seat, worst)];
  });
}

/** @type {import("./index.js").Game} */
export const game = {
  hue: "diams",
  round: (view) => t("round", { round: view.round ?? 1 }),

  draw: (scene) => [
    plates(others(scene).map((seat) => seatPlate(scene, seat))),
    market(scene),
    seatPlate(scene, scene.seat),
    hand(scene),
  ],

  steps: (view) => ({ prompt: t(`diams.prompt.${view.phase.replace("DIAMS_PHASE_", "").toLowerCase()}`), parts, label }),

  belief(card) {
    if (card.closing) return el("span", { class: "chip" }, t("diams.closingCard"));
    if (card.special) return el("span", { class: "chip" }, `X${SPECIALS.indexOf(card.special) + 1}`);
    return el("span", { class: `chip stone kind-${card.diamond.kind}` }, gem(CUTS[card.diamond.kind - 1]), card.diamond.kind, card.diamond.pure ? icon("pure") : null);
  },

  unit: (view) => t(quick(view) ? "result.points" : "result.chips"),

  sheet: ({ view, table }) => table.seats.map((_, seat) => rounds(view, seat)),
};
