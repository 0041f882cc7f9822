/**
 * Diamonds Club: the market with its prices, the price charts, and everybody's park.
 * @module
 */

import { gem } from "../art/gems.js";
import { icon } from "../art/icons.js";
import { area, figure, tally, t, times } from "../board/scene.js";
import { others, plate, plates } from "../board/seats.js";
import { el } from "../core/dom.js";

const COLORS = ["blue", "yellow", "green", "red"];
const GEMS = [...COLORS, "diamonds"];
const CUTS = { blue: "hexagon", yellow: "trillion", green: "emerald", red: "round", diamonds: "kite", any: "rhomb" };
const BUILDINGS = ["fountain", "orangery", "pavilion", "rose_garden"];
const OWNED = ["fountains", "orangeries", "pavilions", "roseGardens"];
const ANIMALS = ["pond", "deer_park", "aviary"];
const HELD = ["ponds", "deerParks", "aviaries"];
const TRACKS = ["forest", "technology", "money"];
const CHARTS = [...BUILDINGS, "forest", "joker"];
const [LIGHT, DARK] = [14, 5];

/** The standard data set, printed in the rules; others are not in the messages. */
const PRICES = {
  fountain: ["blue", "blue", "yellow", "green"],
  orangery: ["yellow", "yellow", "green", "red"],
  pavilion: ["green", "green", "red", "blue"],
  rose_garden: ["red", "red", "blue", "yellow"],
  forest: ["any", "any", "any"],
  joker: ["any", "any", "any", "any", "any", "any"],
};
const PRINTED = [[0, 1, 2], [1, 2, 3], [2, 3, 0], [3, 0, 1]];
const FOREST_VALUES = [2, 3, 4, 5, 6];
const TRACK_BONUS = [0, 0, 1, 2, 3];
const CARD_POINTS = { FIRST_ALL_FOUR: 5, FIRST_FIVE: 5 };

/** @param {string} value @param {string} sort */
const short = (value, sort) => value.replace(`DIAMONDS_CLUB_${sort}_`, "").toLowerCase();
/** @param {any} options @param {string} name */
const standard = (options, name) => !options?.[name] || options[name] === "standard";

/** @param {string} symbol @returns {{sign: string, value: string, color: string, label: string}} */
function symbolOf(symbol) {
  const name = short(symbol, "SYMBOL");
  const [sort, value] = name.split("_");
  if (sort === "mine") return { sign: "mine", value: "", color: value, label: t("club.mine", { color: t(`club.${value}`) }) };
  if (sort === "right" || sort === "ship") return { sign: sort, value, color: "", label: t(`club.${sort}`, { value }) };
  const sign = value === "step" ? sort : name;
  return { sign, value: value === "step" ? "+1" : sign === "hats" ? "+3" : "", color: "", label: t(`club.symbol.${sign}`) };
}

/** @param {any[]} market @param {number} row @param {number} column @returns {number} Coins that the cell costs. */
export function price(market, row, column) {
  const around = [[row - 1, column], [row + 1, column], [row, column - 1], [row, column + 1]];
  return 1 + around.reduce((sum, [r, c]) => sum + (market[c]?.coins?.[r] ?? 0), 0);
}

/** @param {import("../board/scene.js").Scene} scene */
function market(scene) {
  const columns = scene.view.table.market ?? [];
  const cells = [0, 1, 2, 3, 4, 5].flatMap((row) => columns.map((_, column) => cell(scene, columns, row, column)));
  return area(t("club.market"), { class: "club-market" }, el("div", { class: "cells", style: { "--columns": columns.length } }, cells));
}

/** @param {import("../board/scene.js").Scene} scene @param {any[]} columns @param {number} row @param {number} column */
function cell(scene, columns, row, column) {
  const { sign, value, color, label } = symbolOf(columns[column].symbols?.[row] ?? "DIAMONDS_CLUB_SYMBOL_ANIMAL");
  const coins = columns[column].coins?.[row] ?? 0;
  const cost = price(columns, row, column);
  const told = coins ? t("club.sold", { label, n: coins }) : t("club.cell", { label, n: cost, row: row + 1, column: column + 1 });
  const kind = `cell ${column * 2 < columns.length ? "dark" : "light"} ${coins ? "sold" : ""} ${color}`;
  return scene.spot(
    `cell:${row}:${column}`,
    told,
    { class: kind },
    icon(sign),
    value ? el("b", {}, value) : null,
    coins ? el("span", { class: "coin paid" }, coins) : el("span", { class: "coin" }, cost),
  );
}

/** @param {import("../board/scene.js").Scene} scene */
function charts(scene) {
  const { view } = scene;
  const known = standard(view.options, "dataPrices");
  return area(t("club.charts"), { class: "club-charts" }, el("div", { class: "charts" }, CHARTS.map((name) => chart(scene, name, known))));
}

/** @param {import("../board/scene.js").Scene} scene @param {string} name @param {boolean} known */
function chart(scene, name, known) {
  const { view } = scene;
  const markers = view.table.players.map((player, seat) => ((player.charts ?? []).some((each) => short(each, "CHART") === name) ? seat : -1)).filter((seat) => seat >= 0);
  const extra = markers.length * (view.options?.surchargePerMarker ?? 1);
  const cost = known ? [...PRICES[name], ...times(extra, () => "any")] : [];
  const label = t("club.chart", { kind: t(`club.${name}`), price: known ? t("club.gems", { n: cost.length }) : "" });
  return scene.spot(
    `chart:${name}`,
    label,
    { class: `chart ${name}` },
    el("span", { class: "tile" }, icon(name === "joker" ? "any" : name)),
    el("span", { class: "chart-name" }, t(`club.${name}`)),
    el("span", { class: "chart-price" }, cost.map((color) => gem(CUTS[color], { class: `gem ${color}` }))),
    el("span", { class: "chart-markers" }, markers.map((seat) => el("i", { class: `pawn seat-${seat}`, title: scene.name(seat) }))),
  );
}

/** @param {any} player @param {number} seat @param {boolean} known Whether the printed pictures are the standard ones. */
function park(player, seat, known) {
  const printed = PRINTED[seat % 4];
  const covered = player.printedCovered ?? [];
  const left = BUILDINGS.flatMap((name, at) => times(Math.max(0, (player.buildings?.[OWNED[at]] ?? 0) - printed.filter((kind, space) => kind === at && covered[space]).length), () => name));
  const tiles = [...left, ...times(player.forests ?? 0, () => "forest"), ...ANIMALS.flatMap((name, at) => times(player.animals?.[HELD[at]] ?? 0, () => name))];
  const dark = player.darkTiles ?? 0;
  const light = tiles.slice(0, tiles.length - dark);
  const spaces = [
    ...printed.map((kind, at) => space(covered[at] ? BUILDINGS[kind] : "", "printed", known ? BUILDINGS[kind] : "")),
    ...Array.from({ length: LIGHT - printed.length }, (_, at) => space(light[at] ?? "", "light", "")),
    ...Array.from({ length: DARK }, (_, at) => space(tiles[light.length + at] ?? "", "dark", "")),
  ];
  const done = covered.filter(Boolean).length + light.length;
  return el("div", { class: "park", role: "img", "aria-label": t("club.park", { n: done, of: LIGHT, list: parkWords(player) }) }, spaces);
}

/** @param {string} tile @param {string} kind @param {string} picture */
function space(tile, kind, picture) {
  const shown = tile || picture;
  return el("span", { class: `space ${kind} ${tile ? `tile ${tile}` : ""}` }, shown ? icon(shown) : null);
}

/** @param {any} player */
function parkWords(player) {
  const counts = [
    ...BUILDINGS.map((name, at) => [name, player.buildings?.[OWNED[at]] ?? 0]),
    ["forest", player.forests ?? 0],
    ...ANIMALS.map((name, at) => [name, player.animals?.[HELD[at]] ?? 0]),
  ];
  return counts.filter(([, n]) => n).map(([name, n]) => `${t(`club.${name}`)} ${n}`).join(", ") || "–";
}

/** @param {any} player */
function tracks(player) {
  return el(
    "div",
    { class: "tracks" },
    TRACKS.map((track) => {
      const level = player.tracks?.[track] ?? 0;
      const label = t("club.track", { track: t(`club.tracks.${track}`), level, effect: t(`club.effect.${track}.${level}`) });
      return el("span", { class: `track ${track}`, role: "img", "aria-label": label, title: label }, icon(track), times(4, () => 0).map((_, at) => el("i", { class: at < level ? "on" : "" })));
    }),
  );
}

/** @param {import("../board/scene.js").Scene} scene @param {number} seat What it holds: coins, gems, tiles. */
function purse(scene, seat) {
  const player = scene.view.table.players[seat];
  const own = seat === scene.seat;
  const gems = GEMS.flatMap((color) => times(player.gems?.[color] ?? 0, () => gemSpot(scene, own, color)));
  const tile = (sort, value, ...face) => (own ? scene.spot(`${sort}:${value}`, tileWords(sort, value), { class: `token ${sort} ${value}` }, face) : el("span", { class: `token ${sort} ${value}`, role: "img", "aria-label": tileWords(sort, value) }, face));
  return el(
    "div",
    { class: "purse" },
    figure(icon("money"), player.coins ?? 0, t("club.coins"), "coins"),
    el("span", { class: "gems" }, gems),
    el(
      "span",
      { class: "tokens" },
      (player.mines ?? []).map((color) => tile("mine", short(color, "COLOR"), icon("mine"))),
      (player.rights ?? []).map((value) => tile("right", value, icon("right"), el("b", {}, value))),
      (player.ships ?? []).map((value) => tile("ship", value, icon("ship"), el("b", {}, value))),
    ),
  );
}

/** @param {string} sort @param {string | number} value */
function tileWords(sort, value) {
  return sort === "mine" ? t("club.mine", { color: t(`club.${value}`) }) : t(`club.${sort}`, { value });
}

/** @param {import("../board/scene.js").Scene} scene @param {boolean} own @param {string} color */
function gemSpot(scene, own, color) {
  const drawn = gem(CUTS[color], { class: `gem ${color}` });
  if (own) return scene.spot(`gem:${color}`, t(`club.${color}`), { class: "gem-spot" }, drawn);
  return el("span", { class: "spot gem-spot", role: "img", "aria-label": t(`club.${color}`) }, drawn);
}

/** @param {import("../board/scene.js").Scene} scene @param {number} seat */
function seatPlate(scene, seat) {
  const { view } = scene;
  const player = view.table.players[seat];
  return plate(
    scene,
    seat,
    purse(scene, seat),
    el("div", { class: "estate" }, park(player, seat, standard(view.options, "dataPrinted")), tracks(player)),
    bonuses(view, seat),
  );
}

/** @param {any} view @param {number} seat */
function bonuses(view, seat) {
  const cards = (view.table.bonuses ?? []).filter((bonus) => (bonus.seat ?? 0) === seat);
  return cards.length ? el("div", { class: "marks" }, cards.map(({ card }) => el("span", { class: "mark" }, icon("crown"), t(`club.bonus.${short(card, "BONUS_CARD")}`)))) : null;
}

/** @param {import("../board/scene.js").Scene} scene */
function startTrack(scene) {
  const markers = scene.view.table.startTrack ?? [];
  const far = Math.max(11, ...markers.map((marker) => marker.position ?? 0));
  const told = markers.map((marker) => t("club.marker", { name: scene.name(marker.seat ?? 0), position: marker.position ?? 0 })).join(", ");
  return area(
    t("club.startTrack"),
    { class: "club-track" },
    el(
      "div",
      { class: "start-track", role: "img", "aria-label": told },
      Array.from({ length: far + 1 }, (_, position) =>
        el("span", { class: "step" }, markers.filter((marker) => (marker.position ?? 0) === position).map((marker) => el("i", { class: `pawn seat-${marker.seat ?? 0}`, title: scene.name(marker.seat ?? 0), "data-key": `pawn${marker.seat ?? 0}` }))),
      ),
    ),
  );
}

/** @type {Record<string, (move: any) => import("../core/choice.js").Parts>} */
const PARTS = {
  buy: (move) => [[`cell:${move.row ?? 0}:${move.column ?? 0}`], ...chosen(move)],
  passTurn: () => [["pass"]],
  exchange: (move) => [[`mine:${short(move.mine, "COLOR")}`, `right:${move.right}`, `ship:${move.ship}`]],
  keep: (move) => [[move.mine ? `mine:${short(move.mine, "COLOR")}` : "", move.right ? `right:${move.right}` : "", move.ship ? `ship:${move.ship}` : ""].filter(Boolean)],
  build: (move) => [[`chart:${short(move.chart, "CHART")}`], ...(short(move.chart, "CHART") === "joker" ? [[`kind:${short(move.kind, "KIND")}`]] : [])],
  pay: (move) => [GEMS.flatMap((color) => times(move[color] ?? 0, () => `gem:${color}`))],
};

/** @param {any} move @returns {import("../core/choice.js").Parts} What a cell that leaves a choice is taken as. */
function chosen(move) {
  if (move.track) return [[`track:${short(move.track, "TRACK")}`]];
  if (move.animal) return [[`animal:${short(move.animal, "ANIMAL")}`]];
  return [];
}

/** @param {any} move */
function parts(move) {
  const [body] = Object.values(move);
  const [kind] = Object.keys(body);
  return PARTS[kind](body[kind]);
}

/** @param {string} token @returns {string} */
function label(token) {
  const [kind, what] = token.split(":");
  if (kind === "pass") return t("club.pass");
  return t(kind === "track" ? `club.tracks.${what}` : `club.${what}`);
}

const CONFIRMED = ["exchange", "keep", "payment"];

/** @param {any} player @returns {[string, number][]} */
function lines(player) {
  const count = (names, held) => names.reduce((sum, name) => sum + (held?.[name] ?? 0), 0);
  const kinds = HELD.map((name) => player.animals?.[name] ?? 0);
  const sets = Math.min(...kinds);
  const level = (track) => player.tracks?.[track] ?? 0;
  const buildings = count(OWNED, player.buildings);
  return [
    [t("club.sheet.buildings", { n: buildings }), buildings * 4],
    [t("club.sheet.sets", { n: sets }), sets * 10],
    [t("club.sheet.animals", { n: count(HELD, player.animals) - 3 * sets }), count(HELD, player.animals) - 3 * sets],
    [t("club.sheet.forests", { n: player.forests ?? 0, value: FOREST_VALUES[level("forest")] }), (player.forests ?? 0) * FOREST_VALUES[level("forest")]],
    [t("club.sheet.technology"), TRACK_BONUS[level("technology")]],
    [t("club.sheet.money"), TRACK_BONUS[level("money")]],
  ];
}

/** @param {any} view @param {number} seat @returns {[string, number][]} */
function cardLines(view, seat) {
  return (view.table.bonuses ?? [])
    .filter((bonus) => (bonus.seat ?? 0) === seat)
    .map(({ card }) => [t(`club.bonus.${short(card, "BONUS_CARD")}`), CARD_POINTS[card.replace("DIAMONDS_CLUB_BONUS_CARD_", "")] ?? 3]);
}

/** @type {import("./index.js").Game} */
export const game = {
  hue: "club",
  round: (view) => `${t("round", { round: view.table.round ?? 1 })} · ${t(`club.phase.${short(view.table.phase, "PHASE")}`)}`,

  draw(scene) {
    const buying = short(scene.view.table.phase, "PHASE") === "market";
    const centre = el("div", { class: `club-centre ${buying ? "" : "later"}` }, market(scene), el("div", { class: "club-side" }, charts(scene), startTrack(scene)));
    const own = seatPlate(scene, scene.seat);
    return [buying ? [centre, own] : [own, centre], plates(others(scene).map((seat) => seatPlate(scene, seat)))].flat();
  },

  steps(view) {
    const phase = short(view.table.phase, "PHASE");
    return { prompt: t(`club.prompt.${phase}`), confirm: CONFIRMED.includes(phase), forced: phase === "payment", parts, label };
  },

  sheet: ({ view, table }) =>
    table.seats.map((_, seat) => {
      const player = view.table.players[seat];
      const open = tally(player.printedCovered ?? [], false);
      const all = standard(view.options, "dataTracks") ? [...lines(player), ...cardLines(view, seat)] : [];
      if (!open || view.options?.uncoveredPrintedZero === false) return all;
      return [...all, [t("club.sheet.open", { n: open }), -all.reduce((sum, [, points]) => sum + points, 0)]];
    }),
};
