/**
 * The games that have a board of their own. A game is one module of this shape and its line here;
 * one without is played on the plain board.
 * @module
 */

import { game as dao } from "./dao.js";
import { game as diamonds } from "./diamonds.js";
import { game as diamondsClub } from "./diamonds_club.js";
import { game as diams } from "./diams.js";
import { game as plain } from "./plain.js";

/**
 * @typedef {object} Steps How the decision at hand is made on the board.
 * @property {string} prompt What is to be decided, in words.
 * @property {(move: any, at: number) => import("../core/choice.js").Parts} parts What a move consists of.
 * @property {boolean} [confirm] Whether a choice that is complete waits for a word to go ahead.
 * @property {boolean} [forced] Whether to take up at once what all moves have in common.
 * @property {(token: string) => string} [label] Words of tokens that are nowhere on the board.
 */

/**
 * @typedef {object} Game
 * @property {string} hue Name of the game's colours in the style sheets.
 * @property {(view: any) => string} round Which round it is, in words; empty if there is but one.
 * @property {(scene: import("../board/scene.js").Scene) => Node[]} draw The board.
 * @property {(view: any, moves: any[]) => Steps} steps
 * @property {(card: any) => Node} [belief] A card that may be hidden somewhere, small.
 * @property {(view: any) => string} [unit] What the game is won by; without it, points.
 * @property {(scene: any) => [string, number][][]} [sheet] For each seat, what its points come from.
 */

/** @type {Record<string, Game>} */
const GAMES = { dao, diamonds, diams, diamonds_club: diamondsClub };

/** @param {string} id @returns {Game} */
export function gameOf(id) {
  return GAMES[id] ?? plain;
}
