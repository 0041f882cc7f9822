// A bot for boardgame.io: an object with `play(state, playerID)` that asks an Adamas server.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { durationMs } from "@bufbuild/protobuf/wkt";

import type { Client } from "./client.js";
import type { Advice, SearchQuerySchema } from "./gen/adamas/v1/advisor_service_pb.js";
import type { Move, PlayerView } from "./gen/adamas/v1/game_pb.js";

/** What boardgame.io calls State, as far as a bot looks at it. */
export interface GameState<G> {
  readonly G: G;
  readonly ctx: { readonly numPlayers: number; readonly currentPlayer: string };
}

/** A move of the game as boardgame.io has it: which one, and with which arguments. */
export interface NamedMove {
  readonly type: string;
  readonly args?: readonly unknown[];
}

/** What boardgame.io dispatches. */
export interface MakeMove {
  readonly type: "MAKE_MOVE";
  readonly payload: { type: string; args: unknown[]; playerID: string };
}

/** Between a game of boardgame.io and the server. */
export interface BotSettings<G> {
  readonly client: Client;
  /**
   * What the player knows. The state that a bot gets is the whole one: nothing hidden from the player
   * belongs in here, and the server would have no use for it.
   */
  readonly view: (state: GameState<G>, playerID: string) => PlayerView;
  /** The game's own move for one of the server. */
  readonly move: (move: Move, state: GameState<G>) => NamedMove;
  /** How to search: limits, a level, a seed. By default one second at full strength. */
  readonly query?: Omit<MessageInitShape<typeof SearchQuerySchema>, "position" | "$typeName">;
  /** Waits as long as a person would take; true by default. */
  readonly pace?: boolean;
}

/** Plays a seat of a boardgame.io game with the moves of an Adamas server. */
export class AdamasBot<G = unknown> {
  readonly #settings: BotSettings<G>;

  constructor(settings: BotSettings<G>) {
    this.#settings = settings;
  }

  /** The move to make, with the whole advice as `metadata`. */
  async play(
    state: GameState<G>,
    playerID: string,
  ): Promise<{ action: MakeMove; metadata: Advice }> {
    const { client, view, move, query, pace = true } = this.#settings;
    const position = { case: "view" as const, value: view(state, playerID) };
    const advice = await client.recommend({ ...query, position });
    if (pace && advice.suggestedDelay) await wait(durationMs(advice.suggestedDelay));
    const { type, args = [] } = move(advice.bestMove!, state);
    const payload = { type, args: [...args], playerID };
    return { action: { type: "MAKE_MOVE", payload }, metadata: advice };
  }
}

/** A class of such bots, which is what boardgame.io's `Local({ bots })` takes. */
export function botClass<G>(settings: BotSettings<G>): new () => AdamasBot<G> {
  return class extends AdamasBot<G> {
    constructor() {
      super(settings);
    }
  };
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
