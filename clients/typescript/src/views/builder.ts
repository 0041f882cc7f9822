import { clone, create, type DescMessage, type MessageShape } from "@bufbuild/protobuf";

/**
 * Keeps what one seat sees at the table, as it happens, and writes the seat's view whenever it is to
 * move. One class a game.
 */
export abstract class ViewBuilder<View, Move, Event> {
  /** Something happened in front of everybody. All events, in order. */
  abstract tell(event: Event): void;

  /** The seat itself makes a move. Before the events that follow from it. */
  play(_move: Move): void {}

  /** What the seat knows, at a moment when it is to move. */
  abstract view(): View;
}

/** Takes the first entry that fits out of a list; nothing if none does. */
export function remove<T>(list: T[], fits: (entry: T) => boolean): void {
  const index = list.findIndex(fits);
  if (index >= 0) list.splice(index, 1);
}

/** A copy of a message, some fields of which are others. */
export function copied<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
  fields: Partial<MessageShape<Desc>>,
): MessageShape<Desc> {
  return Object.assign(clone(schema, message), fields);
}

/** So many empty messages. */
export function several<Desc extends DescMessage>(
  schema: Desc,
  number: number,
): MessageShape<Desc>[] {
  return Array.from({ length: number }, () => create(schema));
}
