import { create } from "@bufbuild/protobuf";

import {
  DaoPileSchema,
  DaoViewSchema,
  type DaoEvent,
  type DaoMove,
  type DaoOptions,
  type DaoRoundStarted,
  type DaoView,
} from "../gen/adamas/v1/dao_pb.js";
import { copied, several, ViewBuilder } from "./builder.js";

const DECK = 60;

/** Keeps what a seat of DAO has seen. All seats see the same. */
export class DaoViewBuilder extends ViewBuilder<DaoView, DaoMove, DaoEvent> {
  readonly #view: DaoView;
  readonly #deck: number;
  readonly #rounds: number;

  constructor(options: DaoOptions, seats: number, seat: number) {
    super();
    const split = options.twoRoundSplit ?? seats === 2;
    this.#deck = split ? DECK / 2 : DECK;
    this.#rounds = split ? 2 : 1;
    this.#view = create(DaoViewSchema, { options, seats, seat, piles: several(DaoPileSchema, seats) });
  }

  tell({ event }: DaoEvent): void {
    const view = this.#view;
    switch (event.case) {
      case "roundStarted":
        this.#startRound(event.value);
        break;
      case "cardTaken":
        view.piles[event.value.seat]!.cards.push(event.value.card!);
        view.row.shift();
        break;
      case "cardRevealed":
        view.row.push(event.value.card!);
        view.deckSize -= 1;
        break;
      case "bust":
      case "leftoverTaken":
        view.piles[event.value.seat]!.cards.push(...view.row);
        view.row = [];
        break;
      case "rowRefilled":
        view.row.push(...event.value.cards);
        view.deckSize -= event.value.cards.length;
        break;
      case "roundScored":
        if (event.value.round < this.#rounds) view.firstRound = event.value.results;
        break;
    }
  }

  #startRound({ round, starter, row }: DaoRoundStarted): void {
    const view = this.#view;
    if (round > 1) {
      view.firstHalf = [...view.row, ...view.piles.flatMap(({ cards }) => cards)];
      view.piles = several(DaoPileSchema, view.seats);
    }
    view.round = round;
    view.starter = starter;
    view.row = [...row];
    view.deckSize = this.#deck - row.length;
  }

  view(): DaoView {
    return copied(DaoViewSchema, this.#view, { turn: this.#view.seat });
  }
}
