/**
 * The end: who has won, and a score sheet that explains each point.
 * @module
 */

import { sceneOf } from "../board/scene.js";
import { el } from "../core/dom.js";
import { number, t } from "../core/language.js";

/** @param {any} table A table whose game is over. @param {import("../games/index.js").Game} game @param {...any} actions */
export function result(table, game, ...actions) {
  const scene = sceneOf(table, new Set());
  const winners = table.seats.map((_, seat) => seat).filter((seat) => table.status.results[seat]?.winShare > 0);
  const names = new Intl.ListFormat(document.documentElement.lang).format(winners.map(scene.name));
  return el(
    "section",
    { class: "result", "aria-labelledby": "result-title" },
    el("h2", { id: "result-title" }, t("result.won", { n: winners.length, names })),
    sheet(table, scene, game.unit?.(scene.view) ?? t("result.points"), game.sheet?.(scene) ?? table.seats.map(() => [])),
    el("div", { class: "dock-buttons" }, actions),
  );
}

/**
 * A table a seat, with a row for each source of points.
 * @param {any} table @param {any} scene @param {string} unit @param {[string, number][][]} lines
 */
function sheet(table, scene, unit, lines) {
  return el(
    "div",
    { class: "sheets" },
    table.seats.map((_, seat) => {
      const { score = 0, winShare = 0 } = table.status.results[seat] ?? {};
      return el(
        "table",
        { class: `sheet ${winShare ? "winner" : ""}` },
        el("caption", {}, scene.name(seat)),
        el("tbody", {}, lines[seat].map(([words, points]) => el("tr", {}, el("th", { scope: "row" }, words), el("td", {}, number(points))))),
        el("tfoot", {}, el("tr", {}, el("th", { scope: "row" }, unit), el("td", {}, number(score)))),
      );
    }),
  );
}
