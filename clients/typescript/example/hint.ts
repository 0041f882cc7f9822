// Asks an Adamas server what to play: deals a game of DAO, shows one seat the ranked moves with their
// reasons, watches a longer analysis grow, stops it once it is clear enough, and plays the move.
//
//   npm run example [host:port]

import { AdamasError, connect, durationFromMs } from "../src/node.js";

/** How often the best move has been tried when the analysis is stopped. */
const CLEAR_ENOUGH = 20_000n;

async function main(target: string): Promise<void> {
  using client = connect(target);
  const { games } = await client.rules.listGames({});
  console.log(`This server plays ${games.map((game) => game.name).join(", ")}.`);

  const { state, status } = await client.rules.startGame({
    options: { game: { case: "dao", value: {} } },
    seats: 3,
  });
  const seat = status!.seatsToMove[0]!;
  const { view } = await client.rules.getPlayerView({ state: state!, seat });
  const position = { case: "view" as const, value: view! };

  console.log(`\nWhat seat ${seat} could play:`);
  const limits = { time: durationFromMs(200) };
  const { bestMove, candidates } = await client.recommend({ position, limits, candidates: 3 });
  for (const [index, { words, winProbability, expectedScore, reason }] of candidates.entries()) {
    const win = (100 * winProbability).toFixed(1);
    console.log(`${index + 1}. ${words}: wins ${win} %, ${expectedScore.toFixed(2)} points`);
    console.log(`   ${reason}`);
  }

  console.log("\nA longer look:");
  let move = bestMove;
  for await (const { advice } of client.analyze({ position, limits: { time: durationFromMs(5000) } })) {
    const best = advice.candidates[0]!;
    console.log(`${best.words} after ${best.visits} visits`);
    move = advice.bestMove;
    if (best.visits >= CLEAR_ENOUGH) break; // which stops the search
  }

  const { eventWords } = await client.rules.applyMove({ state: state!, move: move!, seat });
  console.log(`\n${eventWords.join("\n")}`);
}

try {
  await main(process.argv[2] ?? "localhost:50051");
} catch (error) {
  if (!(error instanceof AdamasError)) throw error;
  console.error(error.message);
  for (const { field, description } of error.violations) console.error(`  ${field}: ${description}`);
  if (error.retryAfter !== undefined) console.error(`  try again in ${error.retryAfter} s`);
  process.exitCode = 1;
}
