/**
 * The decision at hand: legal moves become the spots of the board that can be pressed, and what
 * is nowhere on the board becomes a button below it.
 * @module
 */

import { Choice } from "../core/choice.js";
import { button, el, refill } from "../core/dom.js";
import { sentence, t } from "../core/language.js";
import { named } from "../board/seats.js";

/** A decision of one turn, which outlives drawing the board anew. */
export class Decision {
  /**
   * @param {any} table
   * @param {import("../games/index.js").Game} game
   * @param {(move: any) => Promise<boolean>} play Whether the host took it.
   */
  constructor(table, game, play) {
    this.turn = table.turn;
    this.play = play;
    this.sent = false;
    this.adopt(table, game);
    this.choice = new Choice(this.legal.map(({ move }, at) => this.steps.parts(move, at)));
    if (this.steps.forced) this.choice.takeForced();
  }

  /** Takes over the words of a table that was told anew. @param {any} table @param {any} game */
  adopt(table, game) {
    this.table = table;
    this.legal = table.moves ?? [];
    this.steps = game.steps(Object.values(table.view)[0], this.legal);
  }

  /** @param {Element} board @param {Element} dock Where the buttons go. */
  bind(board, dock) {
    this.dock = dock;
    /** @type {Map<string, Element[]>} */
    this.spots = Map.groupBy(board.querySelectorAll("[data-token]"), (spot) => spot.getAttribute("data-token"));
    for (const [token, same] of this.spots) same.forEach((spot, nth) => spot.addEventListener("click", () => this.press(token, nth)));
    this.show();
  }

  /** @param {string} token @param {number} nth */
  press(token, nth) {
    if (this.sent) return;
    this.choice.press({ token, nth });
    const complete = this.choice.complete();
    if (complete >= 0 && !this.steps.confirm && !this.choice.open()) this.send(complete);
    else this.show();
  }

  /** Lets go of everything that was chosen. */
  clear() {
    if (this.sent || !this.choice.picks.length) return;
    this.choice.picks = [];
    this.show();
  }

  /** @param {number} at Index of the legal move. */
  async send(at) {
    this.sent = true;
    this.show();
    if (await this.play(this.legal[at].move)) return;
    this.sent = false;
    this.show();
  }

  /** Shows what is chosen and what can be. */
  show() {
    const possible = this.choice.possible();
    const first = this.choice.possible([]);
    for (const [token, same] of this.spots) {
      same.forEach((spot, nth) => {
        const chosen = this.choice.picks.some((pick) => pick.token === token && pick.nth === nth);
        spot.setAttribute("aria-pressed", String(chosen));
        spot.classList.toggle("can", !this.sent && possible.has(token) && !chosen);
        spot.disabled = !chosen && !possible.has(token) && !first.has(token);
      });
    }
    this.#showDock(possible);
  }

  /** @param {Set<string>} possible */
  #showDock(possible) {
    const complete = this.choice.complete();
    const loose = [...possible].filter((token) => !this.spots.has(token));
    refill(
      this.dock,
      el("p", { class: "prompt" }, this.sent ? t("table.sent") : this.steps.prompt),
      el(
        "div",
        { class: "dock-buttons" },
        loose.map((token) => button(this.#label(token), () => this.press(token, 0), { class: "move", "data-focus": `loose-${token}`, disabled: this.sent })),
        complete >= 0 ? button(t("table.go"), () => this.send(complete), { class: "primary move", "data-focus": "confirm", disabled: this.sent }) : null,
        complete >= 0 ? el("span", { class: "quiet" }, this.#words(complete)) : null,
        this.choice.picks.length && !this.sent ? button(t("table.clear"), () => this.clear(), { class: "plain", "data-focus": "clear" }) : null,
      ),
    );
  }

  /** @param {number} at @returns {string} */
  #words(at) {
    return sentence(named(this.legal[at].words, this.table));
  }

  /** @param {string} token @returns {string} The game's own word, or those of the only move that goes on with it. */
  #label(token) {
    const own = this.steps.label?.(token);
    if (own) return own;
    const picks = [...this.choice.picks, { token, nth: 0 }];
    const then = new Choice(this.choice.moves);
    then.picks = picks;
    const complete = then.complete();
    if (complete >= 0 && !then.open()) return this.#words(complete);
    return token;
  }
}
