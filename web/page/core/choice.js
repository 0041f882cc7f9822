/**
 * A decision made step by step. A legal move is stages of tokens, each the name of something on
 * the board: to pass three cards is one stage of three, to buy an animal is a cell and then a
 * kind. Within a stage the order does not matter. What remains possible is read off the list of
 * legal moves alone, so the page knows no rules.
 * @module
 */

/** @typedef {string[][]} Parts Stages of tokens. */
/** @typedef {{token: string, nth: number}} Pick The nth thing on the board with this token. */

/** A decision in progress. */
export class Choice {
  /** @param {Parts[]} moves What each legal move consists of. */
  constructor(moves) {
    this.moves = moves;
    /** @type {Pick[]} */
    this.picks = [];
  }

  /** @returns {Set<string>} All tokens of all moves. */
  tokens() {
    return new Set(this.moves.flat(2));
  }

  /** @param {Pick[]} [picks] @returns {Set<string>} Tokens that can come next. */
  possible(picks = this.picks) {
    const found = new Set();
    const chosen = picks.map((pick) => pick.token);
    for (const move of this.moves) for (const token of next(move, chosen) ?? []) found.add(token);
    return found;
  }

  /** @returns {number} Index of the move that has been chosen in full, or -1. */
  complete() {
    const size = this.picks.length;
    const chosen = this.picks.map((pick) => pick.token);
    return this.moves.findIndex((move) => total(move) === size && next(move, chosen) !== null);
  }

  /** @returns {boolean} Whether anything can still be added. */
  open() {
    return this.possible().size > 0;
  }

  /**
   * Takes something up, or puts it back. What does not go with it any more is let go, the oldest
   * first.
   * @param {Pick} pick
   */
  press(pick) {
    const rest = this.picks.filter((each) => each.token !== pick.token || each.nth !== pick.nth);
    const added = rest.length === this.picks.length;
    this.picks = added ? this.#fitting([...rest, pick]) : this.#leading(rest);
  }

  /** @param {Pick[]} picks @returns {Pick[]} */
  #fitting(picks) {
    while (picks.length && !this.#fits(picks)) picks = picks.slice(1);
    return picks;
  }

  /** @param {Pick[]} picks @returns {Pick[]} */
  #leading(picks) {
    while (picks.length && !this.#fits(picks)) picks = picks.slice(0, -1);
    return picks;
  }

  /** @param {Pick[]} picks */
  #fits(picks) {
    const chosen = picks.map((pick) => pick.token);
    return this.moves.some((move) => next(move, chosen) !== null);
  }

  /** Takes up whatever all moves have in common, so that only what is open has to be chosen. */
  takeForced() {
    const counts = this.moves.map((move) => count(move[0] ?? []));
    for (const [token, most] of counts[0] ?? []) {
      const least = Math.min(most, ...counts.map((each) => each.get(token) ?? 0));
      for (let nth = 0; nth < least; nth += 1) this.picks.push({ token, nth });
    }
  }
}

/** @param {Parts} move */
function total(move) {
  return move.reduce((sum, stage) => sum + stage.length, 0);
}

/** @param {string[]} tokens @returns {Map<string, number>} */
function count(tokens) {
  const found = new Map();
  for (const token of tokens) found.set(token, (found.get(token) ?? 0) + 1);
  return found;
}

/**
 * What a move still needs, given what has been chosen.
 * @param {Parts} move
 * @param {string[]} chosen
 * @returns {string[] | null} Tokens of the stage that is under way; null if the move can't be meant.
 */
function next(move, chosen) {
  const left = count(chosen);
  let unused = chosen.length;
  for (const stage of move) {
    const missing = [];
    for (const token of stage) {
      const held = left.get(token) ?? 0;
      if (held) {
        left.set(token, held - 1);
        unused -= 1;
      } else missing.push(token);
    }
    if (missing.length) return unused ? null : missing;
  }
  return unused ? null : [];
}
