/**
 * Review of a finished game: the chance to win as a curve, and the mistakes with the better move.
 * @module
 */

import { named } from "../board/seats.js";
import { post } from "../core/api.js";
import { button, el, refill, svg } from "../core/dom.js";
import { number, percent, sentence, t } from "../core/language.js";
import { fail } from "../core/toasts.js";

const [WIDTH, HEIGHT] = [340, 160];

/** The review of one table. */
export class Review {
  /** @param {string} id @param {(ply: number, seat?: number) => void} look */
  constructor(id, look) {
    this.id = id;
    this.look = look;
    this.found = null;
    this.asked = false;
    this.element = el("div", { class: "review" });
  }

  /** @returns {import("./panels.js").Panel} */
  panel() {
    return { id: "review", title: t("panel.review"), element: this.element, update: (table) => this.update(table), fits: (table) => Boolean(table.status.over), opened: () => this.ask() };
  }

  /** @param {any} table */
  update(table) {
    this.table = table;
    this.draw();
  }

  async ask() {
    if (this.asked) return;
    this.asked = true;
    const found = await post(`tables/${this.id}/review`).catch(fail);
    if (found && !this.found) this.hear(found);
  }

  /** @param {any} found Review, as far as it is. */
  hear(found) {
    this.found = found;
    this.draw();
  }

  draw() {
    if (!this.table) return;
    const { done = 0, of = 0, decisions = [], turns = [] } = this.found ?? {};
    const mistakes = decisions.filter((each) => each.mistake);
    refill(
      this.element,
      this.found ? null : button(t("review.ask"), () => this.ask(), { class: "primary", "data-focus": "review" }),
      done < of ? el("progress", { max: of, value: done, "aria-label": t("review.progress") }) : null,
      this.found ? [this.#curve(decisions), legend(this.table), this.#turns(turns), this.#mistakes(mistakes, done < of)] : null,
    );
  }

  /** @param {any[]} decisions */
  #curve(decisions) {
    const [last, end] = [this.table.plies, this.table.status.results];
    const x = (ply) => 28 + (ply / Math.max(1, last)) * (WIDTH - 36);
    const y = (share) => 8 + (1 - share) * (HEIGHT - 28);
    const lines = this.table.seats.map((_, seat) => {
      const own = decisions.filter((each) => (each.seat ?? 0) === seat);
      const points = [...own.map((each) => [x(each.ply ?? 0), y(each.best.winProbability ?? 0)]), [x(last), y(end[seat]?.winShare ?? 0)]];
      return [
        svg("polyline", { class: `curve seat-${seat}`, points: points.map((point) => point.map((value) => value.toFixed(1)).join(",")).join(" ") }),
        own.filter((each) => each.mistake).map((each) => this.#dot(each, seat, x, y)),
      ];
    });
    return svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "curves", role: "img", "aria-label": t("review.curve") },
      [0, 0.5, 1].map((share) => [svg("line", { class: "grid", x1: 28, x2: WIDTH - 8, y1: y(share), y2: y(share) }), svg("text", { x: 24, y: y(share) + 4, class: "axis" }, percent(share))]),
      svg("line", { class: "now", x1: x(this.table.ply), x2: x(this.table.ply), y1: 8, y2: HEIGHT - 20 }),
      lines,
      svg("text", { x: WIDTH - 8, y: HEIGHT - 4, class: "axis" }, t("review.moves", { n: last })),
    );
  }

  /** @param {any} decision @param {number} seat @param {(ply: number) => number} x @param {(share: number) => number} y */
  #dot(decision, seat, x, y) {
    const place = { cx: x(decision.ply ?? 0), cy: y(decision.best.winProbability ?? 0), r: 4.5 };
    return svg("circle", { class: `mistake-dot seat-${seat}`, ...place, on: { click: () => this.look(decision.ply ?? 0, seat) } });
  }

  /** Where a seat's chances changed most, whatever the reason. @param {any[]} turns */
  #turns(turns) {
    if (!turns.length) return null;
    return [
      el("h3", {}, t("review.turns")),
      el("ul", { class: "turning" }, turns.map((each) => el("li", {}, button(t("review.turn", { name: named(`seat ${each.seat ?? 0}`, this.table), from: (each.first ?? 0) + 1, to: (each.then ?? 0) + 1, before: percent(each.before ?? 0), after: percent(each.after ?? 0) }), () => this.look(each.first ?? 0, each.seat ?? 0), { class: "plain" })))),
    ];
  }

  /** @param {any[]} mistakes @param {boolean} running */
  #mistakes(mistakes, running) {
    return [
      el("h3", {}, t("review.mistakes", { n: mistakes.length })),
      mistakes.length || running ? null : el("p", { class: "quiet" }, t("review.none")),
      el("ol", { class: "mistakes" }, mistakes.map((each) => this.#mistake(each))),
    ];
  }

  /** @param {any} found */
  #mistake(found) {
    const ply = found.ply ?? 0;
    const words = (candidate) => named(candidate.words, this.table);
    return el(
      "li",
      { class: this.table.ply === ply ? "now" : "" },
      button(t("review.move", { ply: ply + 1, name: named(`seat ${found.seat ?? 0}`, this.table) }), () => this.look(ply, found.seat ?? 0), { class: "small", "data-focus": `mistake-${ply}` }),
      el("span", { class: "loss" }, t("review.loss", { points: number((found.loss ?? 0) * 100, 1) })),
      el("p", {}, el("s", {}, sentence(words(found.played))), ` ${percent(found.played.winProbability ?? 0)}`),
      el("p", {}, el("b", {}, sentence(words(found.best))), ` ${percent(found.best.winProbability ?? 0)}`),
      found.best.reason ? el("p", { class: "reason" }, named(found.best.reason, this.table)) : null,
    );
  }
}

/** @param {any} table */
function legend(table) {
  return el("ul", { class: "curve-legend" }, table.seats.map((_, seat) => el("li", {}, el("i", { class: `swatch seat-${seat}` }), named(`seat ${seat}`, table))));
}
