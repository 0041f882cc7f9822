// The bot for boardgame.io plays DAO there, with the moves of a service.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";

import type { Game, State } from "boardgame.io" with { "resolution-mode": "require" };

import { dao, daoForBots, score, type Dao } from "../example/boardgame/dao.js";
import { AdamasBot, botClass, type BotSettings } from "../src/boardgame.js";
import { connect } from "../src/node.js";
import { AdvisorService, DaoAction, type PlayerView } from "../src/v1.js";
import { clientOf } from "./support.js";

/** What is used of boardgame.io, which is CommonJS and can't be imported by its paths. */
interface Framework {
  Client(options: object): {
    start(): void;
    stop(): void;
    getState(): State<Dao> | null;
    subscribe(listener: (state: State<Dao> | null) => void): () => void;
    store: { getState(): State<Dao> };
    moves: Record<string, () => void>;
  };
  Local(options: { bots: Record<string, unknown> }): unknown;
  Simulate(options: {
    game: Game<Dao>;
    bots: Record<string, AdamasBot<Dao>>;
    state: State<Dao>;
    depth: number;
  }): Promise<{ state: State<Dao> }>;
}
const require = createRequire(import.meta.url);
const { Client, Local, Simulate }: Framework = {
  ...require("boardgame.io/client"),
  ...require("boardgame.io/multiplayer"),
  ...require("boardgame.io/ai"),
};

const target = process.env["ADAMAS_TARGET"];
const SEATS = 3;
const MOST_MOVES = 200;

test("bots play a whole game with the server's moves", { skip: target === undefined }, async () => {
  using client = connect(target!);
  const seen: PlayerView[] = [];
  const view: BotSettings<Dao>["view"] = (state, playerID) => {
    seen.push(daoForBots.view(state, playerID));
    return seen.at(-1)!;
  };
  const query = { limits: { iterations: 50n }, seed: 5n };
  const bot = new AdamasBot<Dao>({ client, ...daoForBots, view, query, pace: false });
  const { state } = await Simulate({
    game: dao,
    bots: { 0: bot, 1: bot, 2: bot },
    state: Client({ game: dao, numPlayers: SEATS }).store.getState(),
    depth: MOST_MOVES,
  });
  const { scores } = state.ctx.gameover as { scores: number[] };
  assert.deepEqual(scores, state.G.piles.map(score));
  assert.equal(state.G.deck.length, 0);
  for (const one of seen) {
    const { violations } = await client.rules.validateView({ view: one });
    assert.deepEqual(violations, []);
  }
});

test("bots of a local game move after a person has", async () => {
  const asked: string[] = [];
  const client = clientOf(({ service }) => {
    service(AdvisorService, {
      recommend: ({ query }) => {
        const position = query!.position.value as PlayerView;
        asked.push(JSON.stringify(Object.keys(position.game.value ?? {}).sort()));
        const taking = { case: "dao" as const, value: { action: DaoAction.TAKE } };
        return { advice: { bestMove: { game: taking }, suggestedDelay: { nanos: 1_000_000 } } };
      },
    });
  });
  const bot = botClass<Dao>({ client, ...daoForBots });
  const person = Client({
    game: dao,
    numPlayers: SEATS,
    playerID: "0",
    multiplayer: Local({ bots: { 1: bot, 2: bot } }),
  });
  const again = new Promise<State<Dao>>((resolve) => {
    person.subscribe((state) => {
      if (state && state.ctx.turn > SEATS) resolve(state);
    });
  });
  person.start();
  person.moves["take"]!();
  const { G, ctx } = await again;
  person.stop();
  assert.equal(ctx.currentPlayer, "0");
  assert.deepEqual(G.piles.map((pile) => pile.length), [1, 1, 1]);
  assert.equal(asked.length, 2);
});
