// View builders, checked against the referee's views over whole games.

import { create, toJson, type MessageInitShape } from "@bufbuild/protobuf";
import assert from "node:assert/strict";
import { test } from "node:test";

import { connect, type NodeClient } from "../src/node.js";
import {
  DaoLeftoverRow,
  DiamondsClubBuildOrder,
  DiamondsClubDarkSpaces,
  DiamondsClubStripRefresh,
  DiamondsEndOfRoundTie,
  DiamondsNoTrickBonus,
  DiamsCardSchema,
  DiamsDrillTo,
  DiamsOverflow,
  DiamsSpecialInMarket,
  GameOptionsSchema,
  PlayerViewSchema,
  type DiamsView,
  type DiamondsView,
  type Event,
  type GameOptions,
  type GameState,
  type Move,
  type PlayerView,
} from "../src/v1.js";
import {
  DaoViewBuilder,
  DiamondsClubViewBuilder,
  DiamondsViewBuilder,
  DiamsViewBuilder,
} from "../src/views.js";

const target = process.env["ADAMAS_TARGET"];

type Options = NonNullable<MessageInitShape<typeof GameOptionsSchema>["game"]>;

/** Games with a good part of their options, and for how many seats. */
const GAMES: [string, Options, number][] = [
  ["dao", { case: "dao", value: {} }, 2],
  ["dao", { case: "dao", value: { leftoverRow: DaoLeftoverRow.LAST_PLAYER } }, 4],
  ["diamonds", { case: "diamonds", value: {} }, 2],
  ["diamonds in teams", { case: "diamonds", value: { teams: true, thiefToken: true } }, 4],
  [
    "diamonds with choices",
    {
      case: "diamonds",
      value: {
        noTrickBonus: DiamondsNoTrickBonus.TWO_ANY,
        endOfRoundTie: DiamondsEndOfRoundTie.ALL_TIED,
        supply: 40,
        exposeCaptured: false,
      },
    },
    5,
  ],
  ["diams", { case: "diams", value: {} }, 3],
  [
    "diams, open",
    {
      case: "diams",
      value: {
        openSafes: true,
        drillTo: DiamsDrillTo.SAFE,
        overflowTo: DiamsOverflow.DISCARD,
        specialInMarket: DiamsSpecialInMarket.DISCARD,
        refillEmptyMarket: 2,
        handLimit: 3,
      },
    },
    2,
  ],
  ["diamonds club", { case: "diamondsClub", value: {} }, 3],
  [
    "diamonds club, other options",
    {
      case: "diamondsClub",
      value: {
        buildOrder: DiamondsClubBuildOrder.ALL_AT_ONCE,
        darkSpaces: DiamondsClubDarkSpaces.ANYTIME,
        stripRefresh: DiamondsClubStripRefresh.CYCLE,
        printedAnyBuilding: true,
        startGemsDiamonds: 4,
      },
    },
    4,
  ],
];

/** Fields whose entries may stand in any order; those of a trick tell their order by its winner. */
const SORTED = [
  ...["cards", "firstHalf", "hand", "passed", "received", "removed", "safe", "diamonds"],
  ...["mines", "rights", "ships", "bonuses", "charts"],
];

/** A view as JSON, with whatever may stand in any order sorted. */
function plain(view: PlayerView): unknown {
  const found = toJson(PlayerViewSchema, view) as Record<string, Record<string, unknown>>;
  const [game, content] = Object.entries(found)[0]!;
  delete content["options"]; // the referee fills in the defaults
  if (game === "diamonds") delete content["turn"]; // means nothing while passing
  if (game === "diams") sort(content, "market");
  return JSON.parse(JSON.stringify(found), (key, value: unknown) => {
    if (Array.isArray(value) && SORTED.includes(key)) {
      return value.map((entry) => JSON.stringify(entry)).sort();
    }
    return value;
  });
}

function sort(content: Record<string, unknown>, name: string): void {
  const entries = (content[name] ?? []) as unknown[];
  content[name] = entries.map((entry) => JSON.stringify(entry)).sort();
}

/** A seat that keeps its view by a builder, and what the table would show to it alone. */
class Seat {
  readonly #builder;

  constructor({ game }: GameOptions, seats: number, seat: number) {
    switch (game.case) {
      case "dao":
        this.#builder = { case: game.case, value: new DaoViewBuilder(game.value, seats, seat) };
        break;
      case "diamonds":
        this.#builder = { case: game.case, value: new DiamondsViewBuilder(game.value, seats, seat) };
        break;
      case "diams":
        this.#builder = { case: game.case, value: new DiamsViewBuilder(game.value, seats, seat) };
        break;
      case "diamondsClub":
        this.#builder = {
          case: game.case,
          value: new DiamondsClubViewBuilder(game.value, seats, seat),
        };
        break;
      default:
        throw new TypeError("no game");
    }
    this.seat = seat;
  }

  readonly seat: number;

  view(): PlayerView {
    const game = { case: this.#builder.case, value: this.#builder.value.view() };
    return create(PlayerViewSchema, { game } as MessageInitShape<typeof PlayerViewSchema>);
  }

  play({ game }: Move): void {
    if (this.#builder.case === game.case) this.#builder.value.play(game.value as never);
  }

  /** `seen`: the referee's view after the events, for what the table would show to the seat alone. */
  async tell(events: readonly Event[], seen: () => Promise<PlayerView>): Promise<void> {
    for (const { game } of events) {
      if (game.case !== this.#builder.case) throw new TypeError("an event of another game");
      this.#builder.value.tell(game.value as never);
      if (this.#builder.case === "diamonds" && game.case === "diamonds") {
        const { event } = game.value;
        const builder = this.#builder.value;
        if (event.case === "roundStarted") {
          builder.deal(((await seen()).game.value as DiamondsView).hand);
        }
        if (event.case === "cardsPassed" && event.value.receiver === this.seat) {
          const { received } = (await seen()).game.value as DiamondsView;
          for (const card of received) builder.draw(card);
        }
      }
      if (this.#builder.case === "diams" && game.case === "diams") {
        const { event } = game.value;
        const builder = this.#builder.value;
        if (event.case === "roundStarted") {
          builder.deal(((await seen()).game.value as DiamsView).hand);
        }
        if (event.case === "cardDrawn" && event.value.seat === this.seat) {
          builder.draw(gained(builder.view(), (await seen()).game.value as DiamsView));
        }
      }
    }
  }
}

/** The card that a hand has more. */
function gained(before: DiamsView, after: DiamsView) {
  const had = before.hand.map((card) => JSON.stringify(toJson(DiamsCardSchema, card)));
  return after.hand.find((card) => {
    const place = had.indexOf(JSON.stringify(toJson(DiamsCardSchema, card)));
    if (place >= 0) had.splice(place, 1);
    return place < 0;
  })!;
}

async function checkGame(client: NodeClient, options: GameOptions, number: number): Promise<void> {
  const { rules } = client;
  const seats = Array.from({ length: number }, (_, seat) => new Seat(options, number, seat));
  let state: GameState;
  const viewOf = async (seat: number) => (await rules.getPlayerView({ state, seat })).view!;
  const tell = async (events: readonly Event[]) => {
    for (const one of seats) await one.tell(events, () => viewOf(one.seat));
  };
  const dealt = await rules.startGame({ options, seats: number, seed: 7n });
  state = dealt.state!;
  let status = dealt.status!;
  await tell(dealt.events);
  let chance = 7;
  while (!status.over) {
    const seat = status.seatsToMove[0]!;
    assert.deepEqual(plain(seats[seat]!.view()), plain(await viewOf(seat)));
    const { moves } = await rules.listLegalMoves({ position: { case: "state", value: state }, seat });
    chance = (chance * 1_103_515_245 + 12_345) % 2_147_483_648;
    const { move } = moves[Math.floor((chance / 2_147_483_648) * moves.length)]!;
    seats[seat]!.play(move!);
    const applied = await rules.applyMove({ state, move: move!, seat });
    state = applied.state!;
    status = applied.status!;
    await tell(applied.events);
  }
}

for (const [name, game, seats] of target === undefined ? [] : GAMES) {
  test(`views: ${name}, ${seats} seats`, async () => {
    using client = connect(target!);
    await checkGame(client, create(GameOptionsSchema, { game }), seats);
  });
}
