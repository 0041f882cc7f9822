// DAO for boardgame.io, with the standard options for three seats and more, and what a bot needs.

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { Game } from "boardgame.io" with { "resolution-mode": "require" };

import type { BotSettings } from "../../src/boardgame.js";
import { DaoAction, DaoElement, PlayerViewSchema, type Move } from "../../src/v1.js";

export interface Card {
  readonly element: DaoElement;
  readonly value: number;
}

export interface Dao {
  readonly row: Card[];
  /** Next card last. */
  readonly deck: Card[];
  readonly piles: Card[][];
}

const LIMIT = 12;
const FIRST_ROW = 3;
/** How many cards of each value an element has. */
const COPIES = [1, 4, 3, 3, 1];
const ELEMENTS = [1, 2, 3, 4, 5] as DaoElement[];

const total = (row: readonly Card[]) => row.reduce((sum, card) => sum + card.value, 0);

function turn({ row, deck }: Dao, number: number): void {
  for (let i = 0; i < number && deck.length > 0; i++) row.push(deck.pop()!);
}

/** Points of a pile: the best element's values, less one for each card of the others. */
export function score(pile: readonly Card[]): number {
  const points = ELEMENTS.map((element) => {
    const own = pile.filter((card) => card.element === element);
    return own.reduce((sum, card) => sum + card.value + 1, 0);
  });
  return Math.max(...points) - pile.length;
}

export const dao: Game<Dao> = {
  name: "dao",
  minPlayers: 3,
  maxPlayers: 6,

  setup: ({ ctx, random }) => {
    const cards = ELEMENTS.flatMap((element) =>
      COPIES.flatMap((copies, value) => Array.from({ length: copies }, () => ({ element, value }))),
    );
    const piles = Array.from({ length: ctx.numPlayers }, (): Card[] => []);
    const G: Dao = { row: [], deck: random.Shuffle(cards), piles };
    turn(G, FIRST_ROW);
    return G;
  },

  turn: { minMoves: 1, maxMoves: 1 },

  moves: {
    take: ({ G, playerID }) => {
      G.piles[Number(playerID)]!.push(G.row.shift()!);
      if (G.row.length === 0) turn(G, FIRST_ROW);
    },
    reveal: {
      client: false, // the deck is the master's
      move: ({ G, playerID }) => {
        turn(G, 1);
        const [before, turned] = G.row.slice(-2);
        if (total(G.row) <= LIMIT || before!.value === turned!.value) return;
        G.piles[Number(playerID)]!.push(...G.row.splice(0));
        turn(G, FIRST_ROW);
      },
    },
  },

  endIf: ({ G }) => {
    if (G.deck.length > 0) return undefined;
    const scores = G.piles.map(score);
    return { scores, best: Math.max(...scores) };
  },

  ai: { enumerate: () => [{ move: "take" }, { move: "reveal" }] },
};

/** What a player sees of the table. Nothing of the deck but its size. */
export function view({ G, ctx }: { G: Dao; ctx: { numPlayers: number } }, playerID: string) {
  const seat = Number(playerID);
  const value: MessageInitShape<typeof PlayerViewSchema>["game"] = {
    case: "dao",
    value: {
      seats: ctx.numPlayers,
      seat,
      turn: seat,
      round: 1,
      row: G.row,
      deckSize: G.deck.length,
      piles: G.piles.map((cards) => ({ cards })),
    },
  };
  return create(PlayerViewSchema, { game: value });
}

/** The move of this game for one of the server. */
export function move({ game }: Move) {
  const takes = game.case === "dao" && game.value.action === DaoAction.TAKE;
  return { type: takes ? "take" : "reveal" };
}

/** All that a bot needs to know of the game. */
export const daoForBots: Pick<BotSettings<Dao>, "view" | "move"> = { view, move };
